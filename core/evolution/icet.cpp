#include "icet.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../tree/relabel.hpp"

namespace thriftwood {

namespace {

// C4.5's table of the normal quantile ends here in both directions.
constexpr double least_cf = 0.01, most_cf = 0.999;

class IcetJudge : public Judge {
 public:
  IcetJudge(const Icet& icet, const Judged& judged) : icet_(icet), judged_(judged) {}

  double cost(const Bits& string, Key trial) override {
    const Icet::Halves halves = icet_.halves(trial);
    return mean_bill(Predictor(icet_.tree(string, halves.grow)), judged_, halves.judge);
  }

 private:
  const Icet& icet_;
  const Judged& judged_;
};

}  // namespace

double Gene::value(std::uint32_t code) const { return low + (high - low) * code / (std::ldexp(1.0, static_cast<int>(bits)) - 1.0); }

std::uint32_t Gene::nearest(double value) const {
  const double most = std::ldexp(1.0, static_cast<int>(bits)) - 1.0;
  return static_cast<std::uint32_t>(std::lround(std::clamp((value - low) / (high - low), 0.0, 1.0) * most));
}

Icet::Icet(const Judged& judged, const Settings& growth, const PessimisticCut& cut, const IcetSettings& settings)
    : judged_(judged), growth_(growth), cut_(cut), settings_(settings) {
  check_judged(judged);
  if (!std::holds_alternative<Eg2>(growth.merit)) throw InputError("ICET evolves the exponent of EG2, so its trees grow by the criterion 'eg2'.");
  if (!(settings.mutation >= 0.0 && settings.mutation <= 1.0))
    throw InputError("The mutation rate lies from 0 to 1. Got " + std::to_string(settings.mutation) + ".");
  rows_ = judged.weighed_rows();
  if (rows_.size() < 2)
    throw InputError("ICET grows trees on one half of the cases and judges them on the other, so it needs at least 2 cases that count; n_samples = " +
                     std::to_string(rows_.size()) + ".");
  target_ = class_target(judged.labels, judged.classes, judged.weights);
  ThreadPool alone(1);
  const Settings* const only = &growth_;
  learner_.emplace(judged_.table, target_, std::span(&only, 1), alone);
}

std::size_t Icet::bits() const {
  return static_cast<std::size_t>(judged_.table.features()) * settings_.bias.bits + settings_.w.bits + settings_.cf.bits;
}

void Icet::begin(Bits& string, std::size_t place, Draws draws) const {
  if (place == 0 && settings_.true_prices_first) {
    Biases biases{std::vector<double>(static_cast<std::size_t>(judged_.table.features()), 0.0), 1.0, 0.25};
    for (Index f = 0; f < judged_.table.features(); ++f)
      if (judged_.prices != nullptr) biases.price[static_cast<std::size_t>(f)] = judged_.prices->list_price(f);
    string = encode(biases);
    return;
  }
  for (std::size_t i = 0; i < string.size(); ++i) string.put(i, 1, draws.chance(0.5));
}

void Icet::cross(Bits& a, Bits& b, Draws draws) const {
  const std::size_t first = draws.below(bits());
  std::size_t last = draws.below(bits() - 1);
  if (last >= first) ++last;  // another point
  Bits::exchange(a, b, std::min(first, last), std::max(first, last));
}

void Icet::mutate(Bits& string, Draws draws) const {
  for (std::size_t i = 0; i < string.size(); ++i) {
    if (!draws.chance(settings_.mutation)) continue;
    string.put(i, 1, settings_.flip ? 1u - string.field(i, 1) : draws.chance(0.5));
  }
}

std::unique_ptr<Judge> Icet::judge() const { return std::make_unique<IcetJudge>(*this, judged_); }

Biases Icet::decode(const Bits& string) const {
  if (string.size() != bits())
    throw InputError("ICET's strings for this table have " + std::to_string(bits()) + " bits. Got " + std::to_string(string.size()) + ".");
  std::size_t at = 0;
  const auto next = [&](const Gene& gene) {
    const double value = gene.value(from_gray(string.field(at, gene.bits)));
    at += gene.bits;
    return value;
  };
  Biases biases{};
  for (Index f = 0; f < judged_.table.features(); ++f) biases.price.push_back(next(settings_.bias));
  biases.w = next(settings_.w);
  biases.cf = next(settings_.cf) / 100.0;
  return biases;
}

Bits Icet::encode(const Biases& biases) const {
  Bits string(bits());
  std::size_t at = 0;
  const auto put = [&](const Gene& gene, double value) {
    string.put(at, gene.bits, gray(gene.nearest(value)));
    at += gene.bits;
  };
  for (double price : biases.price) put(settings_.bias, price);
  put(settings_.w, biases.w);
  put(settings_.cf, 100.0 * biases.cf);
  return string;
}

Icet::Halves Icet::halves(Key trial) const {
  Draws draws(trial);
  Halves halves;
  std::size_t wanted = (rows_.size() + 1) / 2;
  halves.grow.reserve(wanted);
  halves.judge.reserve(rows_.size() - wanted);
  // One row after another is taken with the chance that makes all halves as likely.
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool taken = draws.below(rows_.size() - i) < wanted;
    (taken ? halves.grow : halves.judge).push_back(rows_[i]);
    wanted -= taken;
  }
  return halves;
}

Tree Icet::tree(const Bits& string, std::span<const Row> rows) const {
  const Biases biases = decode(string);
  const Prices prices = biased_prices(biases);
  Settings settings = growth_;
  settings.prices = &prices;
  std::get<Eg2>(settings.merit).w = biases.w;
  PessimisticCut cut = cut_;
  cut.pruning.cf = std::clamp(biases.cf, least_cf, most_cf);
  const Cases cases{judged_.table, judged_.labels, judged_.weights, rows};
  Tree tree = cut_back(learner_->grow(settings, rows), cases, cut);
  if (settings_.cheapest) relabel(tree, judged_.loss);
  return tree;
}

// Biases stand for all that a test costs: they have no groups, resources or delays.
Prices Icet::biased_prices(const Biases& biases) const {
  PriceList list;
  const std::size_t n = biases.price.size();
  list.price = biases.price;
  list.needs_start.assign(n + 1, 0);
  list.group.assign(n, -1);
  list.after.assign(n, std::nan(""));
  list.delayed.assign(n, 0);
  list.upfront = judged_.prices != nullptr && judged_.prices->upfront();
  return Prices(std::move(list));
}

}  // namespace thriftwood
