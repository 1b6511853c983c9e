// The cases of a node, and where they lie.
//
//   block   storage for some cases: their rows, labels and weights, the codes of the coded columns, the orders of the ordered ones
//   part    the cases of one node: a range of places in a block, and a range of every order
//   place   where a case stands in a block; a case has the same place in rows, labels, weights and codes
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "../splitting/presort.hpp"

namespace thriftwood {

struct Block {
  std::uint32_t capacity = 0;
  std::vector<Row> rows;
  std::vector<std::uint16_t> labels;       // classification
  std::vector<double> weights;             // empty: the target's own
  std::unique_ptr<std::uint8_t[]> codes;   // coded column i begins at i * capacity; none where codes stay
  std::unique_ptr<Entry[]> entries;        // of the ordered columns
};

struct Range {
  std::size_t begin = 0;                   // ordered: in block.entries; coded: of the column in block.codes
  std::uint32_t size = 0;                  // ordered: known cases
};

// The codes of a coded column at a part, by place.
struct Codes {
  const std::uint8_t* codes;
  const Row* rows;                         // of the part, where codes stay; else null
  std::uint8_t operator[](std::uint32_t place) const { return codes[rows == nullptr ? place : rows[place]]; }
};

struct Slot;  // counting/slot.hpp: what was counted of a node whose cases are elsewhere

struct Part {
  std::shared_ptr<Block> block;
  std::uint32_t first = 0, count = 0;      // places
  std::vector<Index> features;             // that may still be tested
  std::vector<Range> ranges;               // of each of those
  std::shared_ptr<Slot> slot;              // cases elsewhere, or gathered from there; else null

  // Lets go of the cases; the lists keep their memory, so that another part can be written without an allocation.
  void clear() {
    block.reset();
    slot.reset();
    first = count = 0;
    features.clear();
    ranges.clear();
  }
  std::span<const Row> rows() const { return {block->rows.data() + first, count}; }
  std::span<const std::uint16_t> labels() const {
    return block->labels.empty() ? std::span<const std::uint16_t>() : std::span(block->labels).subspan(first, count);
  }
};

// Cases copied to be divided on trial; the memory is kept from one copy to the next.
struct PartCopy {
  Part part;
  std::size_t codes = 0, entries = 0;      // there is room for
};

}  // namespace thriftwood
