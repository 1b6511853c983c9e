// The functions of a loaded program or library, read from its ELF file when a process starts.
//
//   sled    the room that -fpatchable-function-entry left at the beginning of a function: 8 instructions of one byte that do nothing (gcc),
//           or one of 8 bytes (clang). Compilers list them in a section, but of C++ programs some are missing there. So every beginning of a function that is known is looked at:
//           from that list, from symbols, and from the tables for unwinding, which also stripped files have.
//   extent  the addresses of a function's code. gcc moves unlikely parts elsewhere ("name.cold"): a second extent of the same function.
//   name    the symbol, `symbol#2` for the second function of one name (static functions of two files), `+offset` in a stripped file
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "extent.hpp"

namespace thriftwood::clarify {

struct NativeFunction {
  std::string name;  // binary!symbol
  std::uint64_t sled = 0;
  Extent hot, cold;
};

struct ElfObject {
  std::string path, basename, build;
  std::uint64_t base = 0;  // what was added to the addresses in the file
  std::uint64_t low = 0, high = 0;  // where it is loaded
  std::vector<Extent> code;  // executable segments
  std::uint64_t unwinding = 0;  // where its table of functions for unwinding is; 0: none
  std::vector<NativeFunction> functions;  // with a sled, by address
};

// Calls for every program and library that is loaded (path, base, ...; without functions).
void each_loaded(const std::function<void(ElfObject&)>& visit);

// Whether the 8 bytes here are a sled as compilers leave it.
bool is_idle(const std::uint8_t* code) noexcept;

// Finds its functions, if it was compiled with sleds. False if it was not, or its file cannot be read.
bool find_functions(ElfObject& object);

// Names for functions by address, for programs that say which function begins.
class Symbols {
 public:
  explicit Symbols(const ElfObject& object);
  // Of the function that begins at this address; `binary!+offset` where there is no symbol.
  std::string name_at(std::uint64_t address) const;
  // Whether a function is one of these; of one without a symbol nothing more than its binary is known.
  bool has(std::string_view name) const;

 private:
  std::string basename_;
  std::uint64_t base_;
  std::vector<std::pair<std::uint64_t, std::string>> names_;
};

}  // namespace thriftwood::clarify
