// Tables for tests of evolution.
#pragma once

#include <cmath>
#include <vector>

#include "evolution/judging.hpp"
#include "plain_prices.hpp"
#include "splitting/numbers.hpp"

namespace thriftwood {

// Two numeric columns and two nominal ones. The first column tells most about the classes; one value in ten of each is missing if asked
// for.
struct EvolvedSample {
  std::vector<double> first, second;
  std::vector<Index> third, fourth, labels;
  Table table;

  EvolvedSample(Random& random, std::size_t n, Index classes, bool missing) : first(n), second(n), third(n), fourth(n), labels(n) {
    const auto gone = [&] { return missing && below(random, 10) == 0; };
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = unit(random);
      labels[i] = std::min<Index>(classes - 1, static_cast<Index>(static_cast<double>(classes) * (0.7 * first[i] + 0.4 * unit(random))));
      second[i] = gone() ? std::nan("") : static_cast<double>(below(random, 7));
      third[i] = gone() ? missing_code : static_cast<Index>(below(random, 3));
      fourth[i] = gone() ? missing_code : static_cast<Index>(below(random, 2));
      if (gone()) first[i] = std::nan("");
    }
    table.rows = n;
    table.columns = {{Storage::Float64, first.data(), 1, 0, nullptr, 0},
                     {Storage::Float64, second.data(), 1, 0, nullptr, 0},
                     {Storage::Codes, third.data(), 1, 3, nullptr, 0},
                     {Storage::Codes, fourth.data(), 1, 2, nullptr, 0}};
  }
  EvolvedSample(const EvolvedSample&) = delete;  // the table points into it
};

// Quinlan's 14 days: Outlook (sunny, overcast, rain), Humidity (high, normal), Wind (weak, strong); class 1 is to play.
struct Days {
  std::vector<Index> outlook{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2};
  std::vector<Index> humidity{0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0};
  std::vector<Index> wind{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1};
  std::vector<Index> labels{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0};
  Table table;

  Days() {
    table.rows = 14;
    table.columns = {{Storage::Codes, outlook.data(), 1, 3, nullptr, 0},
                     {Storage::Codes, humidity.data(), 1, 2, nullptr, 0},
                     {Storage::Codes, wind.data(), 1, 2, nullptr, 0}};
  }
  Days(const Days&) = delete;
};

// A price list of four tests of every kind: 0 plain ones, 1 with a group, a shared resource and delays, 2 paid upfront as well, 3 as 1
// without paying for missing values.
inline Prices prices_of_kind(int kind) {
  PriceList list = plain({2.0, 1.0, 0.5, 3.0});
  if (kind > 0) {
    list.group = {0, 0, -1, -1};
    list.after = {1.5, 0.25, none, none};
    list.resource_price = {4.0};
    list.needs_start = {0, 0, 1, 2, 2};
    list.needs = {0, 0};
    list.delayed = {0, 1, 0, 1};
  }
  list.upfront = kind == 2;
  list.charge_missing = kind != 3;
  return Prices(std::move(list));
}

}  // namespace thriftwood
