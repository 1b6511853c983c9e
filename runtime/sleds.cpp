#include "sleds.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

// On entry: [rsp] the function's number, [rsp + 8] the address after the sled, [rsp + 16] the function's return address, with
// the recording function in r11. All registers that a caller may have an interest in are kept: arguments, the static chain (r10), the number of
// vector arguments (al), and those that gcc's -fipa-ra trusts a callee not to touch.
asm(R"(
    .pushsection .text
    .type thriftwood_clarify_thunk, @function
thriftwood_clarify_thunk:
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    movl 72(%rsp), %edi
    leaq 88(%rsp), %rsi
    movq %rbp, %rdx
    call *%r11
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    popq %r11
    leaq 8(%rsp), %rsp
    ret
    .size thriftwood_clarify_thunk, . - thriftwood_clarify_thunk
    .popsection
)");
extern "C" void thriftwood_clarify_thunk();

namespace thriftwood::clarify {

namespace {

constexpr std::uint64_t reach = std::uint64_t{2} << 30, stub_size = 16, preamble = 64;

void put32(std::uint8_t* at, std::int64_t number) {
  const auto narrow = static_cast<std::int32_t>(number);
  std::memcpy(at, &narrow, 4);
}

bool is_free(std::uint64_t at, std::uint64_t bytes) {
  void* const got = ::mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  ::munmap(got, bytes);
  return got == reinterpret_cast<void*>(at);
}

}  // namespace

// Below the object first: above a program lies its heap, which would run into what is put there; then far above.
std::uint64_t Sleds::near(std::uint64_t bytes) const {
  bytes = round_up(bytes, page);
  const std::uint64_t step = std::uint64_t{4} << 20, low = object_.low / page * page, high = round_up(object_.high, page);
  if (high - low + bytes + step >= reach) return 0;
  const std::uint64_t room = reach - (high - low) - bytes - step;  // both ends of the object are in reach of a place this far away
  for (std::uint64_t away = step; away < room; away += step) {
    if (low < away + bytes + step) break;
    if (is_free(low - away - bytes, bytes)) return low - away - bytes;
  }
  for (std::uint64_t away = room / step * step; away > 0; away -= step) {
    if (is_free(high + away, bytes)) return high + away;
  }
  return 0;
}

std::vector<std::uint64_t> Sleds::stubs(const std::vector<std::uint32_t>& numbers, Entered entered) const {
  const std::uint64_t bytes = round_up(preamble + numbers.size() * stub_size, page);
  const std::uint64_t at = near(bytes);
  if (!at) return {};
  void* const got = ::mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != reinterpret_cast<void*>(at)) return {};
  auto* const code = static_cast<std::uint8_t*>(got);
  // What all stubs go to: the number is on the stack, r11 is kept and becomes the recording function, then the thunk, which may be far.
  const std::uint8_t common[] = {0x41, 0x53,                     // push r11
                                 0x4c, 0x8b, 0x1d, 7, 0, 0, 0,   // mov r11, [rip + 7]
                                 0xff, 0x25, 9,    0, 0, 0, 0x90};  // jmp [rip + 9]
  std::memcpy(code, common, sizeof common);
  const auto function = reinterpret_cast<std::uint64_t>(entered), thunk = reinterpret_cast<std::uint64_t>(&thriftwood_clarify_thunk);
  std::memcpy(code + 16, &function, 8);
  std::memcpy(code + 24, &thunk, 8);
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint8_t* const stub = code + preamble + i * stub_size;
    stub[0] = 0x68;  // push number
    put32(stub + 1, static_cast<std::int32_t>(numbers[i]));
    stub[5] = 0xe9;  // jmp common
    put32(stub + 6, code - (stub + 10));
    places.push_back(reinterpret_cast<std::uint64_t>(stub));
  }
  if (::mprotect(got, bytes, PROT_READ | PROT_EXEC) != 0) return {};
  return places;
}

void Sleds::encode(const Write& write, bool locked, std::uint8_t (&code)[8]) {
  const std::uint8_t nothing[8] = {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0};  // nop, 8 bytes
  std::memcpy(code, nothing, 8);
  if (write.content == Content::count) {
    code[0] = locked ? 0xf0 : 0x3e;                  // lock, or a prefix that only fills the room
    code[1] = 0x48, code[2] = 0xff, code[3] = 0x05;  // inc qword [rip + ...]
    put32(code + 4, static_cast<std::int64_t>(write.target - (write.sled + 8)));
  } else if (write.content == Content::call) {
    code[0] = 0xe8;
    put32(code + 1, static_cast<std::int64_t>(write.target - (write.sled + 5)));
    code[5] = 0x0f, code[6] = 0x1f, code[7] = 0x00;  // nop, 3 bytes
  }
}

bool Sleds::holds(const Write& write) {
  for (const bool locked : {false, true}) {
    std::uint8_t code[8];
    encode(write, locked, code);
    if (std::memcmp(reinterpret_cast<const void*>(write.sled), code, 8) == 0) return true;
  }
  return false;
}

bool Sleds::written() const { return std::all_of(writes_.begin(), writes_.end(), holds); }

bool Sleds::write(bool locked) const {
  if (writes_.empty()) return true;
  const auto ours = [](const Write& write) {
    const auto* const at = reinterpret_cast<const std::uint8_t*>(write.sled);
    return is_idle(at) || holds(write);
  };
  if (!std::all_of(writes_.begin(), writes_.end(), ours)) return false;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const Write& write : writes_) first = std::min(first, write.sled), last = std::max(last, write.sled + 8);
  first = first / page * page, last = round_up(last, page);
  void* const text = reinterpret_cast<void*>(first);
  // Executable all the while: a thread of a library's constructor may be running in it, and where code may not become executable again it
  // would stay as it is.
  if (::mprotect(text, last - first, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  for (const Write& write : writes_) {
    std::uint8_t code[8];
    encode(write, locked, code);
    std::memcpy(reinterpret_cast<void*>(write.sled), code, 8);
  }
  return ::mprotect(text, last - first, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace thriftwood::clarify
