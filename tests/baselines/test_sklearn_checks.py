"""scikit-learn's own checks of estimators.

All pass, but for one: where tests have prices, the fixed panel deals cases into folds row by row, so that a
row of weight 2 is not two equal rows.
"""

from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import thriftwood as tw

PRICES = tw.Costs(default_price=1, errors_default=50)


@parametrize_with_checks(
    [
        tw.NobodyClassifier(),
        tw.EverythingClassifier(),
        tw.EverythingClassifier(PRICES),
        tw.FixedPanelClassifier(),
    ]
)
def test_estimator_keeps_to_the_conventions(estimator, check):
    check(estimator)


def test_a_panel_of_priced_tests_keeps_to_them():
    dealt = dict.fromkeys(
        [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")], "dealt by row"
    )
    check_estimator(tw.FixedPanelClassifier(PRICES), expected_failed_checks=dealt, on_skip=None)
