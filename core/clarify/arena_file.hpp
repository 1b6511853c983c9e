// How the arena makes, grows and copies its file. Part of arena.hpp, apart so that what an arena is fits on a page.
#pragma once

#include <sys/resource.h>

#include "arena.hpp"

namespace thriftwood::clarify {

namespace detail {

inline std::size_t put_number(char* at, std::uint64_t number) noexcept {
  char digits[20];
  std::size_t n = 0;
  do digits[n++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  for (std::size_t i = 0; i < n; ++i) at[i] = digits[n - 1 - i];
  return n;
}

// Not the one of <cstring>, which uses vector registers: where recording happens they hold the program's arguments.
inline void copy_bytes(void* to, const void* from, std::size_t n) noexcept {
  auto* out = static_cast<volatile char*>(to);
  const auto* in = static_cast<const char*>(from);
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

inline bool failed(long outcome) noexcept { return outcome < 0 && outcome > -4096; }

}  // namespace detail

// Opens a file of a name that is not taken and leaves the name in path_. Negative when that cannot be done.
inline int Arena::new_file() noexcept {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    started_ = static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
    std::size_t n = folder_length_;
    path_[n++] = '/';
    n += detail::put_number(path_ + n, static_cast<std::uint64_t>(quiet_call(SYS_getpid)));
    path_[n++] = '-';
    n += detail::put_number(path_ + n, started_);
    detail::copy_bytes(path_ + n, ".making", 8);
    const long file = quiet_call(SYS_openat, AT_FDCWD, path_, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file == -EEXIST) continue;
    if (detail::failed(file)) return -1;
    struct stat status{};
    if (::fstat(static_cast<int>(file), &status) != 0) return -1;
    device_ = status.st_dev, inode_ = status.st_ino;
    return static_cast<int>(file);
  }
  return -1;
}

// Allocated, not only made longer: on a full disk a page that is not there yet would end the program with SIGBUS. Beyond the limit for
// files the attempt alone would end it with SIGXFSZ.
inline bool Arena::resize(int file, std::uint64_t size) noexcept {
  rlimit64 limit{RLIM64_INFINITY, RLIM64_INFINITY};
  quiet_call(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit);
  if (limit.rlim_cur < size) return false;
  const long outcome = quiet_call(SYS_fallocate, file, 0, 0L, static_cast<long>(size));
  if (outcome == -EOPNOTSUPP || outcome == -ENOSYS) return !detail::failed(quiet_call(SYS_ftruncate, file, static_cast<long>(size)));
  return !detail::failed(outcome);
}

inline void Arena::begin(Mode mode) noexcept {
  Header& head = header();
  head.mode = mode;
  head.pid = static_cast<std::uint64_t>(quiet_call(SYS_getpid));
  head.started = started_;
  head.size = first_size;
  used_ = page;
  head.used.store(used_);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  detail::copy_bytes(head.magic, file_magic, sizeof file_magic);
}

inline bool Arena::create(const char* folder, Mode mode) noexcept {
  std::size_t n = 0;
  while (folder[n]) ++n;
  if (n == 0) return false;
  std::size_t before = 0;
  if (folder[0] != '/') {  // the program may change its folder, and the file is opened again when it grows
    const long length = quiet_call(SYS_getcwd, path_, longest_path);
    if (detail::failed(length)) return false;
    before = static_cast<std::size_t>(length) - 1;
    path_[before++] = '/';
  }
  if (before + n > longest_path) return false;
  detail::copy_bytes(path_ + before, folder, n);
  folder_length_ = before + n;

  const int file = new_file();
  if (file < 0) return false;
  bool mapped = false;
  if (resize(file, first_size)) {
    // Addresses are reserved far beyond the end of the file, so that growing moves nothing; where they are limited, a small share. They
    // are asked for far away from everything, because what is recorded needs room near its code.
    rlimit limit{};
    std::uint64_t most = std::uint64_t{64} << 30;
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 16 < most) most = limit.rlim_cur / 16;
    void* const far_away = reinterpret_cast<void*>(std::uint64_t{32} << 40);
    for (std::uint64_t wanted = round_up(most, page); wanted >= first_size && !mapped; wanted = round_up(wanted / 4, page)) {
      const long at = quiet_call(SYS_mmap, far_away, wanted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0L);
      if (detail::failed(at)) continue;
      base_ = reinterpret_cast<std::byte*>(at), reserved_ = wanted, mapped = true;
    }
  }
  quiet_call(SYS_close, file);
  if (!mapped) {
    quiet_call(SYS_unlink, path_);
    return false;
  }
  begin(mode);
  return true;
}

inline void Arena::publish() noexcept {
  std::size_t n = 0;
  do making_[n] = path_[n];
  while (path_[n++]);
  detail::copy_bytes(path_ + n - sizeof ".making", ".profile", sizeof ".profile");
  quiet_call(SYS_renameat2, AT_FDCWD, making_, AT_FDCWD, path_, 0);
}

inline void Arena::destroy() noexcept {
  if (base_) quiet_call(SYS_munmap, base_, reserved_);
  for (std::size_t i = 0; i < view_count_; ++i) quiet_call(SYS_munmap, views_[i].address, views_[i].length);
  base_ = nullptr, view_count_ = 0;
}

// The file is opened by name each time: a descriptor kept open could be closed by the program and be another file by now.
inline bool Arena::grow(std::uint64_t size) noexcept {
  if (size > reserved_) return false;
  const long file = quiet_call(SYS_openat, AT_FDCWD, path_, O_RDWR | O_CLOEXEC, 0);
  if (detail::failed(file)) return false;
  struct stat status{};
  const int before = errno;
  const bool ours = ::fstat(static_cast<int>(file), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
  errno = before;
  const bool done = ours && resize(static_cast<int>(file), size);
  quiet_call(SYS_close, file);
  if (done) header().size = size;
  return done;
}

inline void* Arena::allocate(Kind kind, std::uint32_t owner, std::uint64_t bytes, std::uint64_t alignment) noexcept {
  latch_.lock();
  Header& head = header();
  const std::uint64_t at = used_;
  const std::uint64_t content = round_up(at + sizeof(Block), alignment);
  const std::uint64_t end = round_up(content + bytes, alignment >= page ? page : 16);
  bool room = head.trouble == Trouble::none;
  if (room && end > head.size) {
    std::uint64_t size = round_up(head.size + head.size / 4 > end ? head.size + head.size / 4 : end, first_size);
    if (size > reserved_) size = end;
    room = grow(size);
    if (!room) head.trouble = Trouble::growing;
  }
  if (room) {
    *block_at(at) = Block{kind, owner, end, content, bytes};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    used_ = end;
    head.used.store(end, std::memory_order_release);
  }
  latch_.unlock();
  return room ? base_ + content : nullptr;
}

inline void Arena::release(const void* content) noexcept {
  const std::uint64_t wanted = offset(content);
  for (std::uint64_t at = page; at < header().used.load(std::memory_order_acquire); at = block_at(at)->next) {
    if (block_at(at)->content != wanted) continue;
    block_at(at)->kind = Kind::gap;
    return;
  }
}

inline bool Arena::view(const void* content, std::uint64_t bytes, void* address) noexcept {
  if (view_count_ == most_views) return false;
  const long file = quiet_call(SYS_openat, AT_FDCWD, path_, O_RDWR | O_CLOEXEC, 0);
  if (detail::failed(file)) return false;
  const View view{address, offset(content), round_up(bytes, page)};
  const long at =
      quiet_call(SYS_mmap, address, view.length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, static_cast<long>(view.offset));
  quiet_call(SYS_close, file);
  if (detail::failed(at)) return false;
  if (reinterpret_cast<void*>(at) != address) {  // a kernel before 4.17 takes the address for a wish
    quiet_call(SYS_munmap, at, view.length);
    return false;
  }
  views_[view_count_++] = view;
  return true;
}

inline bool Arena::renew() noexcept {
  latch_.unlock();
  const Header& parent = header();
  const std::uint64_t used = used_, size = round_up(used, first_size);
  Block* heads = nullptr;
  const int file = new_file();
  bool done = file >= 0 && resize(file, size);
  for (std::uint64_t at = page; done && at < used; at = heads->next) {
    heads = block_at(at);
    Block copy = *heads;
    const bool texts = copy.kind == Kind::functions || copy.kind == Kind::builds;
    if (!texts && copy.kind != Kind::counters) copy.kind = Kind::gap;
    done = !detail::failed(quiet_call(SYS_pwrite64, file, &copy, sizeof copy, static_cast<long>(at)));
    if (done && texts) {
      done = !detail::failed(quiet_call(SYS_pwrite64, file, base_ + copy.content, copy.length, static_cast<long>(copy.content)));
    }
  }
  const Mode mode = parent.mode;
  const std::uint32_t lines = parent.lines;
  const Trouble trouble = parent.trouble == Trouble::growing ? Trouble::none : parent.trouble;
  const int protection = PROT_READ | PROT_WRITE;
  // Without a file of its own the child counts into memory that nobody reads, never into its parent's file.
  const int sharing = done ? MAP_SHARED | MAP_FIXED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  const int source = done ? file : -1;
  const std::uint64_t length = done ? reserved_ : size;
  quiet_call(SYS_mmap, base_, length, protection, sharing | MAP_NORESERVE, source, 0L);
  for (std::size_t i = 0; i < view_count_; ++i) {
    quiet_call(SYS_mmap, views_[i].address, views_[i].length, protection, sharing, source, done ? static_cast<long>(views_[i].offset) : 0L);
  }
  if (file >= 0) quiet_call(SYS_close, file);
  Header& head = header();
  begin(mode);
  head.size = size, head.lines = lines, head.forked = 1;
  head.trouble = done ? trouble : Trouble::growing;
  used_ = used;
  head.used.store(used);
  return done;
}

}  // namespace thriftwood::clarify
