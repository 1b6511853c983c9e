// From the offer that was chosen to the choice of a node.
#pragma once

#include <span>
#include <vector>

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

// The choice of that offer; `offers` are those of all features of the node. Its list is written into `memory`.
Choice make_choice(const Fit& fit, const GrowingTree& growing, const OpenNode& open, const Offer& offer, std::span<const Offer> offers,
                   std::vector<std::size_t>&& memory = {});

// The places of the features that may be tested below a node that takes this offer.
void keep_features(const Fit& fit, std::span<const Offer> offers, const Offer& taken, std::vector<std::size_t>& kept);

// To 40 bits: what differs by rounding is the same.
double rounded_priority(double priority);

// The offers that keep to the rules of growth.
std::vector<const Offer*> candidates(const Fit& fit, const OpenNode& open, std::span<const Offer> offers);

}  // namespace thriftwood
