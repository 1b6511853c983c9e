// What the criterion's merit is to know of a node beside the offers.
#pragma once

#include <span>

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

MeritRules merit_rules(const Fit& fit, const OpenNode& open, std::span<const Offer> offers);

}  // namespace thriftwood
