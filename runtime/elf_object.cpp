#include "elf_object.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <span>
#include <unordered_map>

namespace thriftwood::clarify {

namespace {

// How a pointer in the tables for unwinding is written.
enum : std::uint8_t { DW_EH_PE_udata4 = 0x03, DW_EH_PE_sdata4 = 0x0b, DW_EH_PE_datarel = 0x30 };

// A file in memory; empty when it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    if (::fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      data_ = at == MAP_FAILED ? nullptr : static_cast<const std::byte*>(at);
    }
    ::close(file);
  }
  ~MappedFile() {
    if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // `count` things of type T at `offset`; none where the file is too short.
  template <class T>
  std::span<const T> at(std::uint64_t offset, std::uint64_t count) const {
    if (!data_ || offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T)) return {};
    return {reinterpret_cast<const T*>(data_ + offset), count};
  }
  std::span<const std::byte> all() const { return {data_, data_ ? size_ : 0}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

std::string_view text_at(std::span<const char> texts, std::uint64_t at) {
  if (at >= texts.size()) return {};
  return {texts.data() + at, ::strnlen(texts.data() + at, texts.size() - at)};
}

struct Symbol {
  std::uint64_t address, size;  // the address as in the file
  std::string_view name;
  int rank;  // of several names for one address the lowest counts: global, weak, local
};

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(path) {
    const auto head = file_.at<Elf64_Ehdr>(0, 1);
    if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0 || head[0].e_ident[EI_CLASS] != ELFCLASS64) return;
    sections_ = file_.at<Elf64_Shdr>(head[0].e_shoff, head[0].e_shnum);
    if (head[0].e_shstrndx >= sections_.size()) return;
    const Elf64_Shdr& names = sections_[head[0].e_shstrndx];
    section_names_ = file_.at<char>(names.sh_offset, names.sh_size);
  }

  // Sections of this name; there can be several, one for each group of functions.
  std::vector<const Elf64_Shdr*> sections(std::string_view name) const {
    std::vector<const Elf64_Shdr*> found;
    for (const Elf64_Shdr& section : sections_) {
      if (text_at(section_names_, section.sh_name) == name) found.push_back(&section);
    }
    return found;
  }

  // Functions by address: of the full table, or of the dynamic one that stripping leaves.
  std::vector<Symbol> functions() const {
    std::vector<Symbol> symbols;
    for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
      for (const Elf64_Shdr& section : sections_) {
        if (section.sh_type == static_cast<Elf64_Word>(type)) add_functions(section, symbols);
      }
      if (!symbols.empty()) break;
    }
    std::sort(symbols.begin(), symbols.end(),
              [](const Symbol& a, const Symbol& b) { return std::tie(a.address, a.rank, a.name) < std::tie(b.address, b.rank, b.name); });
    return symbols;
  }
  std::span<const std::byte> bytes() const { return file_.all(); }

 private:
  void add_functions(const Elf64_Shdr& section, std::vector<Symbol>& symbols) const {
    if (section.sh_link >= sections_.size()) return;
    const Elf64_Shdr& linked = sections_[section.sh_link];
    const auto texts = file_.at<char>(linked.sh_offset, linked.sh_size);
    for (const Elf64_Sym& symbol : file_.at<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const int type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
      if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
      const int rank = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
      symbols.push_back({symbol.st_value, symbol.st_size, text_at(texts, symbol.st_name), rank});
    }
  }

  MappedFile file_;
  std::span<const Elf64_Shdr> sections_;
  std::span<const char> section_names_;
};

std::string in_hex(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

// Python's zlib.crc32, for files without a build id.
std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  std::uint32_t crc = 0xffffffffu;
  for (const std::byte byte : bytes) crc = table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

// The build id among the notes of a loaded object, in hexadecimal.
std::string build_id(std::uint64_t notes, std::uint64_t size) {
  for (std::uint64_t at = notes; at + sizeof(Elf64_Nhdr) <= notes + size;) {
    Elf64_Nhdr note{};
    std::memcpy(&note, reinterpret_cast<const void*>(at), sizeof note);
    const std::uint64_t name = at + sizeof note, content = name + (note.n_namesz + 3u) / 4 * 4;
    at = content + (note.n_descsz + 3u) / 4 * 4;
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || std::memcmp(reinterpret_cast<const void*>(name), "GNU", 4) != 0) continue;
    std::string id;
    for (std::uint64_t i = 0; i < note.n_descsz; ++i) {
      const auto byte = reinterpret_cast<const unsigned char*>(content)[i];
      id += "0123456789abcdef"[byte >> 4];
      id += "0123456789abcdef"[byte & 15];
    }
    return id;
  }
  return {};
}

std::string own_path() {
  std::array<char, 4096> path{};
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  return n > 0 ? std::string(path.data(), static_cast<std::size_t>(n)) : std::string();
}

// Where the parts of functions lie that gcc moved away, by the name of the function.
std::unordered_map<std::string_view, Extent> cold_parts(const std::vector<Symbol>& symbols, std::uint64_t base) {
  std::unordered_map<std::string_view, Extent> parts;
  constexpr std::string_view ending = ".cold";
  for (const Symbol& symbol : symbols) {
    if (!symbol.name.ends_with(ending)) continue;
    const Extent part{base + symbol.address, base + symbol.address + symbol.size};
    const auto [known, added] = parts.emplace(symbol.name.substr(0, symbol.name.size() - ending.size()), part);
    if (!added) known->second = {};  // of which of the functions of this name, nobody knows
  }
  return parts;
}

// Where the sled of a function that begins here is, 0 if it has none. An endbr64 may come before it.
std::uint64_t sled_at(std::uint64_t begin) {
  constexpr unsigned char endbr64[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  const auto* code = reinterpret_cast<const unsigned char*>(begin);
  if (std::memcmp(code, endbr64, 4) == 0) code += 4;
  return is_idle(code) ? reinterpret_cast<std::uint64_t>(code) : 0;
}

// Functions as the tables for unwinding have them (.eh_frame_hdr in the form that every linker writes).
std::vector<Extent> unwound_functions(std::uint64_t table) {
  std::vector<Extent> functions;
  const auto* head = reinterpret_cast<const std::uint8_t*>(table);
  if (!table || head[0] != 1 || head[2] != DW_EH_PE_udata4 || head[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4)) return functions;
  std::uint32_t count = 0;
  std::memcpy(&count, head + 8, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::int32_t row[2];  // of the function and of its description, from the table on
    std::memcpy(row, head + 12 + 8 * std::size_t{i}, 8);
    const std::uint64_t begin = table + row[0], description = table + row[1];
    std::int32_t place = 0;
    std::uint32_t length = 0;
    std::memcpy(&place, reinterpret_cast<const void*>(description + 8), 4);
    std::memcpy(&length, reinterpret_cast<const void*>(description + 12), 4);
    const bool usual = description + 8 + place == begin;  // relative and 4 bytes wide, as gcc writes them
    functions.push_back({begin, usual ? begin + length : begin});
  }
  return functions;
}

// All functions that begin with a sled, by address; the same one may be named by several sources.
std::map<std::uint64_t, Extent> functions_with_sleds(const ElfObject& object, const ElfFile& file, const std::vector<Symbol>& symbols) {
  std::map<std::uint64_t, Extent> found;
  const auto look_at = [&](std::uint64_t begin, std::uint64_t end) {
    const auto holds = [&](const Extent& code) { return code.has(begin) && code.has(begin + 11); };
    if (std::none_of(object.code.begin(), object.code.end(), holds)) return;
    const std::uint64_t sled = sled_at(begin);
    if (!sled) return;
    Extent& extent = found[sled];
    if (!extent.end || extent.end == extent.begin) extent = {begin, end};
  };
  for (const Symbol& symbol : symbols) look_at(object.base + symbol.address, object.base + symbol.address + symbol.size);
  for (const Extent& function : unwound_functions(object.unwinding)) look_at(function.begin, function.end);
  for (const Elf64_Shdr* section : file.sections("__patchable_function_entries")) {
    // Addresses are read from memory, where they are relocated.
    const auto* entries = reinterpret_cast<const std::uint64_t*>(object.base + section->sh_addr);
    for (std::uint64_t i = 0; i < section->sh_size / 8; ++i) look_at(entries[i], entries[i]);
  }
  return found;
}

}  // namespace

bool is_idle(const std::uint8_t* code) noexcept {
  constexpr std::uint8_t gcc[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, clang[8] = {0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0};
  return std::memcmp(code, gcc, 8) == 0 || std::memcmp(code, clang, 8) == 0;
}

void each_loaded(const std::function<void(ElfObject&)>& visit) {
  const auto on_object = [](dl_phdr_info* info, std::size_t, void* data) {
    ElfObject object;
    object.base = info->dlpi_addr;
    object.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : own_path();
    object.low = ~std::uint64_t{0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const Elf64_Phdr& segment = info->dlpi_phdr[i];
      const std::uint64_t begin = object.base + segment.p_vaddr, end = begin + segment.p_memsz;
      if (segment.p_type == PT_LOAD) {
        object.low = std::min(object.low, begin), object.high = std::max(object.high, end);
        if (segment.p_flags & PF_X) object.code.push_back({begin, end});
      }
      if (segment.p_type == PT_GNU_EH_FRAME) object.unwinding = begin;
      if (segment.p_type == PT_NOTE && object.build.empty()) object.build = build_id(begin, segment.p_filesz);
    }
    object.basename = object.path.substr(object.path.rfind('/') + 1);
    (*static_cast<const std::function<void(ElfObject&)>*>(data))(object);
    return 0;
  };
  ::dl_iterate_phdr(on_object, const_cast<void*>(static_cast<const void*>(&visit)));
}

bool find_functions(ElfObject& object) {
  const ElfFile file(object.path);
  if (file.sections("__patchable_function_entries").empty() && file.sections(".thriftwood_sleds").empty()) return false;
  if (object.build.empty()) object.build = "crc32:" + in_hex(crc32(file.bytes()));
  const std::vector<Symbol> symbols = file.functions();
  const auto parts = cold_parts(symbols, object.base);
  const auto sleds = functions_with_sleds(object, file, symbols);
  std::unordered_map<std::string_view, int> seen;
  for (auto at = sleds.begin(); at != sleds.end(); ++at) {
    const auto& [sled, extent] = *at;
    NativeFunction function;
    function.sled = sled;
    function.hot = extent;
    const auto next = std::next(at);
    if (extent.end == extent.begin) function.hot.end = next == sleds.end() ? object.high : next->first;
    const std::uint64_t address = extent.begin - object.base;
    const auto symbol = std::lower_bound(symbols.begin(), symbols.end(), address, [](const Symbol& s, std::uint64_t a) { return s.address < a; });
    if (symbol != symbols.end() && symbol->address == address) {
      const int times = ++seen[symbol->name];
      function.name = object.basename + "!" + std::string(symbol->name) + (times > 1 ? "#" + std::to_string(times) : "");
      const auto cold = parts.find(symbol->name);
      if (cold != parts.end()) function.cold = cold->second;
    } else {
      function.name = object.basename + "!+" + in_hex(address);
    }
    object.functions.push_back(std::move(function));
  }
  return !object.functions.empty();
}

Symbols::Symbols(const ElfObject& object) : basename_(object.basename), base_(object.base) {
  const ElfFile file(object.path);
  std::unordered_map<std::string_view, int> seen;
  std::uint64_t last = ~std::uint64_t{0};
  for (const Symbol& symbol : file.functions()) {
    if (symbol.address == last) continue;
    last = symbol.address;
    const int times = ++seen[symbol.name];
    names_.emplace_back(symbol.address, std::string(symbol.name) + (times > 1 ? "#" + std::to_string(times) : ""));
  }
}

bool Symbols::has(std::string_view name) const {
  const std::string front = basename_ + "!";
  if (!name.starts_with(front)) return false;
  name.remove_prefix(front.size());
  return name.starts_with('+') || std::any_of(names_.begin(), names_.end(), [&](const auto& known) { return known.second == name; });
}

std::string Symbols::name_at(std::uint64_t address) const {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), address - base_, [](const auto& name, std::uint64_t a) { return name.first < a; });
  if (found == names_.end() || found->first != address - base_) return basename_ + "!+" + in_hex(address - base_);
  return basename_ + "!" + found->second;
}

}  // namespace thriftwood::clarify
