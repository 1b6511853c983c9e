// What tests still cost at a node of a growing tree.
#pragma once

#include "fit.hpp"
#include "growing_tree.hpp"

namespace thriftwood {

// Puts into the workspace's basket what is paid at the node: the tests on its path, or all tests of the tree if they are paid upfront.
void fill_basket(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace);

// What the test costs given the basket; where the settings say that reuse is not free, its list price.
inline double price_at(const Fit& fit, const Basket& basket, Index feature) {
  return fit.settings.reuse_is_free ? basket.eff(feature) : fit.settings.prices->list_price(feature);
}

// Fills in the price of every offer in the workspace.
void put_prices(const Fit& fit, const GrowingTree& growing, const OpenNode& open, Workspace& workspace);

// Notes that the open node's test was bought: for the branches on their path, or for the whole tree.
void pay(const Fit& fit, GrowingTree& growing, OpenNode& open);

}  // namespace thriftwood
