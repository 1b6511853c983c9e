// The profile file: what a recorded process leaves behind, whatever ends it.
//
//   arena    a file mapped MAP_SHARED, so that everything written is on the kernel's side at once: a crash, abort or SIGKILL loses
//            nothing. It grows by blocks and never moves; addresses inside stay valid.
//   block    a piece of the arena of one kind, with a small head by which a reader walks from block to block
//   pool     an array in the arena that doubles by moving to a new block; a reader looks only at the newest
//   pages    memory that no reader needs, mapped apart from the program's heap, which a damaged program may write over
//
// The heads are written before `used` passes them, and counts of things after the things. So the file can be read after any
// instruction. Nothing here throws, allocates from the heap, uses floating point, or keeps a file descriptor that the program could close.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace thriftwood::clarify {

enum class Mode : std::uint32_t { off = 0, counts = 1, trees = 2, watch = 3 };

enum class Trouble : std::uint32_t {
  none = 0,
  growing = 1,  // the file could not grow, or there was no memory, and recording stopped there
  reaching = 2, // functions of a binary could not be changed, or there was no room for counters near them
  plan = 3,     // the plan cannot be read, or asks for more than an activation has room for
};

enum class Kind : std::uint32_t {
  gap = 0,       // was something before it moved, or belongs to the process that forked
  functions = 1, // texts: names of functions, numbered from 0 in their order
  builds = 2,    // texts: "binary<TAB>identity of its build"
  counters = 3,  // 64-bit counters; the first belongs to function (in watch mode: to line) `owner`
  recorder = 4,  // a RecorderHead; pools with the same owner are its tables
  frames = 5,
  states = 6,
  shapes = 7,
};

constexpr std::uint64_t page = 4096;
constexpr char file_magic[8] = {'T', 'W', 'C', 'L', 'A', 'R', '0', '1'};

// The first page of the file.
struct Header {
  char magic[8];
  Mode mode;
  std::uint32_t exited;          // 1: the process ended in an orderly way
  std::uint64_t pid;
  std::uint64_t started;         // nanoseconds since 1970
  std::atomic<std::uint64_t> used;  // blocks lie between the first page and here
  std::uint64_t size;            // of the file
  Trouble trouble;               // why the file does not have everything
  std::uint32_t threads;         // that were recorded
  std::uint32_t lines;           // of the plan, in watch mode
  std::uint32_t forked;          // 1: by fork; calls that were open then are the parent's
};
static_assert(sizeof(Header) == 64);

struct Block {
  Kind kind;
  std::uint32_t owner;
  std::uint64_t next;     // offset of the next block's head
  std::uint64_t content;  // offset
  std::uint64_t length;   // of the content in bytes
};
static_assert(sizeof(Block) == 32);

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t unit) { return (n + unit - 1) / unit * unit; }

// A lock for a handful of instructions. A forked child opens it: its holder may not have come along.
class Latch {
 public:
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

// System calls that are no cancellation points and leave errno alone: recording happens in the middle of the program's own code.
template <class... Arguments>
long quiet_call(long number, Arguments... arguments) noexcept {
  const int before = errno;
  const long result = ::syscall(number, arguments...);
  const long outcome = result < 0 ? -static_cast<long>(errno) : result;
  errno = before;
  return outcome;
}

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A new file <folder>/<pid>-<nanoseconds>.making, for whoever makes it to publish. False when it cannot be made.
  bool create(const char* folder, Mode mode) noexcept;
  // In a forked child: a file of its own at the same addresses, with the functions of the moment of forking and all counters at 0.
  // Recorders are gone; whoever held one makes another. Whoever holds Texts renews them too, and then publishes.
  bool renew() noexcept;
  // Gives the file the name that readers look for, ending in .profile. A process killed before that has recorded nothing, and half a
  // file of its would be taken for a damaged one.
  void publish() noexcept;
  void destroy() noexcept;

  bool open() const noexcept { return base_ != nullptr; }
  Header& header() noexcept { return *reinterpret_cast<Header*>(base_); }
  const char* path() const noexcept { return path_; }

  // Room for `bytes` bytes, all 0. nullptr when the file cannot grow; the header says so from then on.
  void* allocate(Kind kind, std::uint32_t owner, std::uint64_t bytes, std::uint64_t alignment = 16) noexcept;
  // Something could not be kept: the header says that the file does not have everything.
  void no_room() noexcept {
    if (header().trouble == Trouble::none) header().trouble = Trouble::growing;
  }
  // What lies at `content` is not needed any more.
  void release(const void* content) noexcept;
  std::uint64_t offset(const void* content) const noexcept { return static_cast<std::uint64_t>(static_cast<const std::byte*>(content) - base_); }
  // The same bytes once more at another address, which must be free. `content` was allocated with the alignment of a page.
  bool view(const void* content, std::uint64_t bytes, void* address) noexcept;

 private:
  struct View {
    void* address;
    std::uint64_t offset, length;
  };
  static constexpr std::size_t most_views = 512, longest_path = 4000;
  static constexpr std::uint64_t first_size = 64 * 1024;

  int new_file() noexcept;
  bool grow(std::uint64_t size) noexcept;
  static bool resize(int file, std::uint64_t size) noexcept;
  Block* block_at(std::uint64_t at) noexcept { return reinterpret_cast<Block*>(base_ + at); }
  void begin(Mode mode) noexcept;

  std::byte* base_ = nullptr;
  std::uint64_t reserved_ = 0;
  std::uint64_t used_ = 0;  // as in the header; a forked child cannot ask there, where its parent goes on writing
  std::uint64_t device_ = 0, inode_ = 0, started_ = 0;
  Latch latch_;
  View views_[most_views]{};
  std::size_t view_count_ = 0;
  std::size_t folder_length_ = 0;
  char path_[longest_path + 64]{}, making_[longest_path + 64]{};  // its name, and the one before it was published
};

// An array of T in the arena, published in a head that the reader finds: `where` is its offset, `size` its length.
template <class T>
class Pool {
 public:
  void begin(Arena& arena, Kind kind, std::uint32_t owner, std::uint64_t* where) noexcept {
    arena_ = &arena, kind_ = kind, owner_ = owner, where_ = where;
    data_ = nullptr, capacity_ = 0;
  }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  std::uint64_t capacity() const noexcept { return capacity_; }

  // Room for at least `wanted`; the first `kept` elements move along. False when the file cannot grow.
  bool reserve(std::uint64_t wanted, std::uint64_t kept) noexcept {
    if (wanted <= capacity_) return true;
    std::uint64_t capacity = capacity_ ? capacity_ : 128;
    while (capacity < wanted) capacity *= 2;
    auto* grown = static_cast<T*>(arena_->allocate(kind_, owner_, capacity * sizeof(T), 64));
    if (!grown) return false;
    for (std::uint64_t i = 0; i < kept; ++i) grown[i] = data_[i];
    std::atomic_signal_fence(std::memory_order_seq_cst);
    *where_ = arena_->offset(grown);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (data_) arena_->release(data_);
    data_ = grown, capacity_ = capacity;
    return true;
  }

 private:
  Arena* arena_ = nullptr;
  T* data_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t* where_ = nullptr;
  Kind kind_ = Kind::gap;
  std::uint32_t owner_ = 0;
};

// An array of T, all 0 at first, in memory of its own.
template <class T>
class Pages {
 public:
  Pages() = default;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { clear(); }

  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  std::uint64_t size() const noexcept { return size_; }
  void swap(Pages& other) noexcept {
    T* const data = data_;
    const std::uint64_t size = size_;
    data_ = other.data_, size_ = other.size_;
    other.data_ = data, other.size_ = size;
  }
  // At least `wanted` elements; what was there stays.
  bool reserve(std::uint64_t wanted) noexcept {
    if (wanted <= size_) return true;
    std::uint64_t size = size_ ? size_ : round_up(512 * sizeof(T), page) / sizeof(T);
    while (size < wanted) size *= 2;
    const long at = quiet_call(SYS_mmap, nullptr, round_up(size * sizeof(T), page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    if (at < 0 && at > -4096) return false;
    Pages before;
    before.data_ = reinterpret_cast<T*>(at), before.size_ = size;
    for (std::uint64_t i = 0; i < size_; ++i) before.data_[i] = data_[i];
    swap(before);
    return true;
  }
  void clear() noexcept {
    if (data_) quiet_call(SYS_munmap, data_, round_up(size_ * sizeof(T), page));
    data_ = nullptr, size_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace thriftwood::clarify

#include "arena_file.hpp"
