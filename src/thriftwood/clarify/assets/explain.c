/* Explains failures of the program it is compiled into. Written by thriftwood (`thriftwood clarify export`); needs no library.

   Compile it with the program, whose other files are compiled with the options of `thriftwood clarify flags`:

     gcc -O2 $(thriftwood clarify flags) program.c NAME.c -o program

   When the program ends with an exit status other than 0, or crashes (by SIGSEGV, SIGABRT, SIGFPE, SIGBUS or SIGILL, where
   it has no handler), the message stands below its own on standard error. Do not strip the program: functions are found by
   its symbols. Options: -DNAME_ALWAYS says what happened after every run; -DNAME_WHY adds the label, and how sure it is;
   -DNAME_THREADS counts exactly in programs that start threads. Where activations are followed (NAME_FOLLOWS below is 1)
   every thread that the program starts gives 32 bytes of its stack for each open one: 256, so 8 KiB, or as many as
   -DNAME_THREAD_DEEPEST=... says.
   NAME_diagnose tells the program itself. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || !defined(__x86_64__)
#error "This is for Linux on x86-64."
#endif

struct NAME_diagnosis {
  const char *label, *message, *trouble; /* message: 0 if nobody wrote one; trouble: why nothing can be said */
  const char *opening, *other;           /* how sure it is in words, "" for a fact; what is said of a cause that is close, or 0 */
  double confidence;
  const char* percent;   /* the same in words: "90%" */
  int unknown, in_doubt; /* like nothing that was recorded; rests on functions that changed since */
  const char* doubt[3];  /* why the label may not hold, in three pieces to be joined; doubt[0] is 0 if it may */
  char ended[16];        /* how it ended, which a piece may point to: "exit 1", "signal 11" */
};
struct NAME_call {
  int parent, grandparent;
  unsigned long long mark, chain;
};
struct NAME_completion {
  unsigned long long wanted, passed;
  int line, parent;
};
struct NAME_sign {
  char kind;
  double number;
};
#ifndef NAME_THREAD_DEEPEST
#define NAME_THREAD_DEEPEST (NAME_FOLLOWS ? 256 : 1)
#endif
#ifdef NAME_THREADS
#define NAME_LOCK 0xf0
#else
#define NAME_LOCK 0x3e
#endif

/* TABLES */

/* What does the work, the same in every exported file.

   NAME_begin finds the functions of the plan in the program's own symbols, before main, and turns the 8 idle bytes that
   -fpatchable-function-entry=8 left at the beginning of each into the increment of a counter, or into a call of NAME_enter
   where activations must be followed. When the program ends, the tree is walked. Linux on x86-64; gcc or clang. */

typedef unsigned long long NAME_word;

struct NAME_part {
  NAME_word begin, end;
};
struct NAME_frame {
  NAME_word stack, back, marks;
  int function, caller; /* place of the caller's frame + 1; 0: not known */
};

NAME_word NAME_counters[NAME_LINES + 1]; /* of the lines of the plan */
static struct NAME_part NAME_hot[NAME_FUNCTIONS + 1], NAME_cold[NAME_FUNCTIONS + 1]; /* cold: of functions that are followed */
static NAME_word NAME_below[NAME_FUNCTIONS + 1]; /* functions of the same name begin up to here */
static const char* NAME_trouble; /* why nothing can be said */
static struct timespec NAME_began;
static pid_t NAME_process;
/* Open activations. What is the thread's own lies on its stack, so the first thread, which recurses deepest, has room elsewhere. */
static struct NAME_frame NAME_first_frames[NAME_DEEPEST];
static __thread struct NAME_frame NAME_own_frames[NAME_THREAD_DEEPEST];
static __thread struct NAME_frame* NAME_frames;
static __thread int NAME_room, NAME_depth, NAME_busy;

/* ---- a function begins: general registers only, the others hold the program's arguments ---- */

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("general-regs-only"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("general-regs-only")
#endif

static int NAME_lies_in(int function, NAME_word at) {
  return (NAME_hot[function].begin <= at && at < NAME_hot[function].end) || (NAME_cold[function].begin <= at && at < NAME_cold[function].end);
}

static void NAME_count(int line) { __atomic_fetch_add(&NAME_counters[line], 1, __ATOMIC_RELAXED); }

static void NAME_make(int place, NAME_word mark) {
  while (place) {
    struct NAME_frame* const frame = &NAME_frames[place - 1];
    const NAME_word before = frame->marks, after = before | mark;
    int passed_to = 0, i;
    NAME_word passed = 0;
    if (before == after) return;
    frame->marks = after;
    for (i = NAME_first_completion[frame->function]; i < NAME_first_completion[frame->function + 1]; ++i) {
      const struct NAME_completion* const one = &NAME_completions[i];
      if ((before & one->wanted) == one->wanted || (after & one->wanted) != one->wanted) continue;
      if (one->line >= 0) {
        NAME_count(one->line);
      } else if (frame->caller && NAME_frames[frame->caller - 1].function == one->parent) {
        passed_to = frame->caller;
        passed |= one->passed;
      }
    }
    place = passed_to, mark = passed;
  }
}

/* The innermost open activation of a function, as its place + 1. It is calling right now, so what lies above it has ended. */
static int NAME_frame_of(int function) {
  int i;
  for (i = NAME_depth; i > 0; --i) {
    if (NAME_frames[i - 1].function == function) return NAME_depth = i;
  }
  return 0;
}

/* Frames that the stack has been unwound past are over: by return, exception or longjmp. */
static void NAME_leave_ended(NAME_word stack) {
  while (NAME_depth > 0) {
    const struct NAME_frame* const top = &NAME_frames[NAME_depth - 1];
    if (top->stack > stack && *(const NAME_word*)top->stack == top->back) return;
    --NAME_depth;
  }
}

/* A caller that goes by rbp tells its own return address: what began below it before this call is over. */
static void NAME_leave_to_base(NAME_word base, NAME_word call) {
  const NAME_word own = base + 8;
  int i;
  if (NAME_depth == 0 || base % 16 != 0 || own <= NAME_frames[NAME_depth - 1].stack || own > NAME_frames[0].stack) return;
  for (i = NAME_depth; i > 0 && NAME_frames[i - 1].stack < own; --i) {
  }
  if (i > 0 && NAME_frames[i - 1].stack == own && NAME_lies_in(NAME_frames[i - 1].function, call)) NAME_depth = i;
}

static void NAME_enter(int function, const NAME_word* slot, NAME_word base) __asm__("NAME_enter"); /* also where C is compiled as C++ */

__attribute__((used)) static void NAME_enter(int function, const NAME_word* slot, NAME_word base) {
  const NAME_word back = *slot, stack = (NAME_word)slot;
  int i, caller = 0, concerned = NAME_opens[function] || NAME_first_line[function] < NAME_first_line[function + 1];
  for (i = NAME_first_call[function]; !concerned && i < NAME_first_call[function + 1]; ++i) {
    concerned = NAME_lies_in(NAME_calls[i].parent, back - 1);
  }
  if (!concerned || NAME_busy) return; /* busy: a signal handler that came in between */
  NAME_busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (!NAME_frames) NAME_frames = NAME_own_frames, NAME_room = NAME_THREAD_DEEPEST;
  NAME_leave_ended(stack);
  NAME_leave_to_base(base, back - 1);
  for (i = NAME_first_line[function]; i < NAME_first_line[function + 1]; ++i) NAME_count(NAME_lines[i]);
  for (i = NAME_first_call[function]; i < NAME_first_call[function + 1]; ++i) {
    const struct NAME_call* const order = &NAME_calls[i];
    if (!caller && NAME_lies_in(order->parent, back - 1)) caller = NAME_frame_of(order->parent);
    if (!caller || NAME_frames[caller - 1].function != order->parent) continue;
    if (order->mark) NAME_make(caller, order->mark);
    if (order->chain) {
      const int above = NAME_frames[caller - 1].caller;
      if (above && NAME_frames[above - 1].function == order->grandparent) NAME_make(above, order->chain);
    }
  }
  if (NAME_opens[function]) {
    if (NAME_depth < NAME_room) {
      struct NAME_frame* const frame = &NAME_frames[NAME_depth++];
      frame->stack = stack, frame->back = back, frame->marks = 0, frame->function = function, frame->caller = caller;
    } else {
      NAME_trouble = NAME_frames == NAME_first_frames ? "calls lie deeper than is followed"
                                                      : "calls lie deeper than is followed in a thread (-DNAME_THREAD_DEEPEST)";
    }
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  NAME_busy = 0;
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

/* On entry: [rsp] the function's number, [rsp + 8] the address behind the sled, [rsp + 16] the function's return address. */
__asm__(
    ".pushsection .text\n"
    ".type NAME_thunk, @function\n"
    "NAME_thunk:\n"
    "  pushq %r11\n  pushq %rax\n  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %r10\n"
    "  movl 72(%rsp), %edi\n  leaq 88(%rsp), %rsi\n  movq %rbp, %rdx\n"
    "  call NAME_enter\n"
    "  popq %r10\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n  popq %rax\n  popq %r11\n"
    "  leaq 8(%rsp), %rsp\n"
    "  ret\n"
    ".balign 16\n"
    "NAME_stubs:\n" NAME_STUBS ".popsection\n");
extern const unsigned char NAME_stubs[] __attribute__((visibility("hidden"))); /* 16 bytes for each function */

/* ---- before main ---- */

static unsigned char* NAME_sled_at(NAME_word begin) {
  static const unsigned char endbr64[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  static const unsigned char gcc[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, clang[8] = {0x0f, 0x1f, 0x84, 0, 0, 2, 0, 0};
  unsigned char* code = (unsigned char*)begin;
  if (memcmp(code, endbr64, 4) == 0) code += 4;
  return memcmp(code, gcc, 8) == 0 || memcmp(code, clang, 8) == 0 ? code : 0;
}

static void NAME_patch(unsigned char* sled, int function) {
  const int lines = NAME_first_line[function + 1] - NAME_first_line[function];
  const int counted = !NAME_opens[function] && lines == 1 && NAME_first_call[function] == NAME_first_call[function + 1];
  int away;
  if (counted) { /* inc qword [rip + ...]; with threads, locked */
    static const unsigned char inc[4] = {NAME_LOCK, 0x48, 0xff, 0x05};
    away = (int)((long long)&NAME_counters[NAME_lines[NAME_first_line[function]]] - (long long)(sled + 8));
    memcpy(sled, inc, 4);
    memcpy(sled + 4, &away, 4);
  } else { /* call of the stub; nop */
    static const unsigned char nop[3] = {0x0f, 0x1f, 0x00};
    away = (int)((long long)(NAME_stubs + 16 * function) - (long long)(sled + 5));
    sled[0] = 0xe8;
    memcpy(sled + 1, &away, 4);
    memcpy(sled + 5, nop, 3);
  }
}

/* All functions that were found between two addresses, where code lies. */
static int NAME_patch_all(NAME_word begin, NAME_word end) {
  const NAME_word page = (NAME_word)sysconf(_SC_PAGESIZE);
  NAME_word first = end, last = begin;
  int function;
  for (function = 0; function < NAME_FUNCTIONS; ++function) {
    const NAME_word at = NAME_hot[function].begin;
    if (at < begin || at >= end) continue;
    if (at < first) first = at;
    if (at + 12 > last) last = at + 12; /* endbr64 and the sled */
  }
  if (first >= last) return 1;
  first = first / page * page, last = (last + page - 1) / page * page;
  /* Writable and executable at once, or not at all: where code may not become executable again, it would crash. */
  if (mprotect((void*)first, last - first, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
  for (function = 0; function < NAME_FUNCTIONS; ++function) {
    const NAME_word at = NAME_hot[function].begin;
    unsigned char* const sled = begin <= at && at < end ? NAME_sled_at(at) : 0;
    if (sled) NAME_patch(sled, function); /* of two names of one function the first */
  }
  return mprotect((void*)first, last - first, PROT_READ | PROT_EXEC) == 0;
}

extern const unsigned char __ehdr_start[] __attribute__((visibility("hidden"))); /* the linker's: where the file begins in memory */

/* What was added to the addresses in the file when it was loaded. */
static NAME_word NAME_base_of(const unsigned char* file, size_t size) {
  const Elf64_Ehdr* const head = (const Elf64_Ehdr*)file;
  int i;
  for (i = 0; i < head->e_phnum && head->e_phoff + (size_t)(i + 1) * sizeof(Elf64_Phdr) <= size; ++i) {
    const Elf64_Phdr* const segment = (const Elf64_Phdr*)(file + head->e_phoff) + i;
    if (segment->p_type == PT_LOAD && segment->p_offset == 0) return (NAME_word)__ehdr_start - segment->p_vaddr;
  }
  return 0;
}

/* FNV-1a, as in the tables. */
static unsigned NAME_hash_of(const char* text, size_t length) {
  unsigned hash = 2166136261u;
  for (; length > 0; --length, ++text) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

/* The first function of this name, in the order of NAME_next; -1: none. */
static int NAME_first_of(const char* text, size_t length) {
  unsigned slot = NAME_hash_of(text, length) % NAME_SLOTS;
  for (; NAME_slot[slot] >= 0; slot = (slot + 1) % NAME_SLOTS) {
    const char* const name = NAME_names[NAME_slot[slot]];
    if (strncmp(name, text, length) == 0 && name[length] == 0) return NAME_slot[slot];
  }
  return -1;
}

/* Where gcc moved a part of a followed function to; nothing where several functions have the name. */
static void NAME_note_cold(const Elf64_Sym* symbol, const char* text, size_t length, NAME_word base) {
  int function = NAME_first_of(text, length);
  for (; function >= 0; function = NAME_next[function]) {
    struct NAME_part* const part = &NAME_cold[function];
    if (!NAME_opens[function]) continue;
    if (part->begin) {
      part->end = part->begin; /* the second */
    } else {
      part->begin = base + symbol->st_value, part->end = part->begin + symbol->st_size;
    }
  }
}

/* Once over the program's symbols: of several functions of one name the lowest with a sled above those of the round before. */
static void NAME_look(const Elf64_Sym* symbols, size_t n, const char* texts, int round, NAME_word base) {
  size_t i;
  for (i = 0; i < n; ++i) {
    const Elf64_Sym* const one = &symbols[i];
    const char* const text = texts + one->st_name;
    const NAME_word begin = base + one->st_value;
    size_t length;
    int function;
    if (ELF64_ST_TYPE(one->st_info) != STT_FUNC || one->st_shndx == SHN_UNDEF) continue;
    length = strlen(text);
    if (round == 1 && length > 5 && memcmp(text + length - 5, ".cold", 5) == 0) NAME_note_cold(one, text, length - 5, base);
    for (function = NAME_first_of(text, length); function >= 0; function = NAME_next[function]) {
      struct NAME_part* const part = &NAME_hot[function];
      if (round > NAME_nth[function] || begin <= NAME_below[function] || (part->begin && begin >= part->begin)) continue;
      if (NAME_sled_at(begin)) part->begin = begin, part->end = begin + one->st_size;
    }
  }
}

static void NAME_find(const Elf64_Sym* symbols, size_t n, const char* texts, NAME_word base) {
  int round, function;
  for (round = 1; round <= NAME_ROUNDS; ++round) {
    for (function = 0; function < NAME_FUNCTIONS; ++function) {
      if (round == 1 || round > NAME_nth[function] || !NAME_hot[function].begin) continue;
      NAME_below[function] = NAME_hot[function].begin;
      NAME_hot[function].begin = NAME_hot[function].end = 0;
    }
    NAME_look(symbols, n, texts, round, base);
  }
}

static const char* NAME_watch(const unsigned char* file, size_t size) {
  const Elf64_Ehdr* const head = (const Elf64_Ehdr*)file;
  const Elf64_Shdr* sections;
  NAME_word base;
  int i, function, symbols_found = 0;
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return "its own file cannot be read";
  if (head->e_shoff > size || head->e_shnum * sizeof(Elf64_Shdr) > size - head->e_shoff) return "its own file cannot be read";
  sections = (const Elf64_Shdr*)(file + head->e_shoff);
  base = NAME_base_of(file, size);
  for (i = 0; i < head->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    NAME_find((const Elf64_Sym*)(file + sections[i].sh_offset), sections[i].sh_size / sizeof(Elf64_Sym),
              (const char*)file + sections[sections[i].sh_link].sh_offset, base);
    symbols_found = 1;
  }
  for (function = 0; function < NAME_FUNCTIONS; ++function) {
    /* Functions that no recorded run called may be gone from this build: what is not there is not called. */
    if (!symbols_found || (!NAME_hot[function].begin && !NAME_stranger[function])) {
      return "it was stripped, changed, compiled otherwise than it was recorded, or without -fpatchable-function-entry=8";
    }
  }
  for (i = 0; i < head->e_phnum && head->e_phoff + (size_t)(i + 1) * sizeof(Elf64_Phdr) <= size; ++i) {
    const Elf64_Phdr* const segment = (const Elf64_Phdr*)(file + head->e_phoff) + i;
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    if (!NAME_patch_all(base + segment->p_vaddr, base + segment->p_vaddr + segment->p_memsz)) return "its code cannot be changed here";
  }
  return 0;
}

/* ---- at the end ---- */

/* log(1 + x) of a count, without the maths library: a power of two, and a series for what is left. */
static double NAME_log1p(double x) {
  double left = 1.0 + x, power = 0.0, term, square, sum = 0.0;
  int k;
  while (left > 1.4142135623730951) left /= 2.0, power += 1.0;
  term = (left - 1.0) / (left + 1.0), square = term * term;
  for (k = 1; k < 40; k += 2, term *= square) sum += term / k;
  return 2.0 * sum + power * 0.6931471805599453;
}

static int NAME_shown(int sign, int status, int signal) {
  struct timespec now;
  switch (NAME_signs[sign].kind) {
    case 'x': return signal == 0 && status == NAME_signs[sign].number;
    case 's': return signal == NAME_signs[sign].number;
    case 't':
      clock_gettime(CLOCK_MONOTONIC, &now);
      return (double)(now.tv_sec - NAME_began.tv_sec) + 1e-9 * (double)(now.tv_nsec - NAME_began.tv_nsec) >= NAME_signs[sign].number;
    default: return 0; /* a time-out is seen from outside alone */
  }
}

static int NAME_is_in(const int* list, int first, int last, int ending) {
  for (; first < last; ++first) {
    if (list[first] == ending) return 1;
  }
  return 0;
}

/* How odd a run is for a label, by what recorded runs of it had. */
static double NAME_oddness(int label, const double* row, int status, int signal) {
  double sum = 0.0;
  int i, signs = 0;
  for (i = 0; i < NAME_FEATURES; ++i) {
    const double low = NAME_low[label * NAME_FEATURES + i], high = NAME_high[label * NAME_FEATURES + i];
    const double spread = NAME_spread[label * NAME_FEATURES + i];
    const double gap = NAME_log1p(row[i]) - NAME_log1p(row[i] < low ? low : high);
    if (low <= row[i] && row[i] <= high) continue;
    if (spread == 0.0) {
      ++signs;
    } else {
      sum += (gap < 0 ? -gap : gap) / spread;
    }
  }
  if (signs) sum += NAME_EACH ? signs : NAME_odd_sign[label];
  if (NAME_ENDINGS_COUNT && !NAME_is_in(NAME_usual, NAME_first_usual[label], NAME_first_usual[label + 1], signal ? -signal : status)) {
    sum += NAME_odd_ending[label];
  }
  return sum;
}

/* Why a label may not hold for a run that ended so: as `thriftwood.clarify.telling` says it, by tables. */
static void NAME_doubt(int label, int status, int signal, struct NAME_diagnosis* found) {
  const int ending = signal ? -signal : status, is_known = NAME_is_in(NAME_endings, NAME_first_ending[label], NAME_first_ending[label + 1], ending);
  char digits[16];
  int left = signal ? signal : status, n = 0, at = 0;
  do digits[n++] = (char)('0' + left % 10);
  while ((left /= 10) > 0 && n < 8);
  strcpy(found->ended, signal ? "signal " : "exit ");
  for (at = (int)strlen(found->ended); n > 0; ++at) found->ended[at] = digits[--n];
  found->ended[at] = 0;
  found->doubt[0] = found->doubt[1] = found->doubt[2] = 0;
  if (NAME_EVERYWHERE == 0 || is_known) {
    if (found->in_doubt) found->doubt[0] = NAME_changed[label], found->doubt[1] = found->doubt[2] = "";
  } else if (ending == 0) {
    found->doubt[0] = NAME_not_failed[label], found->doubt[1] = found->doubt[2] = "";
  } else if (NAME_is_in(NAME_everywhere, 0, NAME_EVERYWHERE, ending)) {
    found->doubt[0] = NAME_otherwise[2 * label], found->doubt[1] = found->ended, found->doubt[2] = NAME_otherwise[2 * label + 1];
  } else {
    found->doubt[0] = NAME_never[0], found->doubt[1] = found->ended, found->doubt[2] = NAME_never[1];
  }
}

/* The cause that is named beside a label, or -1. Where it is the ending that is doubted, one that has runs which ended so. */
static int NAME_second(int node, int label, int ending, int is_fact) {
  const int doubted = NAME_EVERYWHERE && !NAME_is_in(NAME_endings, NAME_first_ending[label], NAME_first_ending[label + 1], ending);
  int i;
  for (i = NAME_first_near[node]; i < NAME_first_near[node + 1]; ++i) {
    const int other = NAME_near[i];
    if (!doubted) return is_fact ? -1 : other;
    if (NAME_is_in(NAME_endings, NAME_first_ending[other], NAME_first_ending[other + 1], ending)) return other;
  }
  return -1;
}

/* What happened, as far as it was watched: 0 if nothing can be said. `signal` is 0 for a program that ends by itself. */
int NAME_diagnose(int status, int signal, struct NAME_diagnosis* found) {
  double row[NAME_FEATURES + 1];
  int i, node = 0, nothing = 0, other, label;
  status &= 0xff; /* of more a program ends with no more */
  found->label = found->message = found->other = 0, found->opening = found->percent = "";
  found->confidence = 0.0, found->unknown = found->in_doubt = 0;
  found->doubt[0] = found->doubt[1] = found->doubt[2] = 0, found->ended[0] = 0;
  found->trouble = NAME_trouble;
  if (NAME_trouble) return 0;
  for (i = 0; i < NAME_PATTERNS; ++i) {
    int k = NAME_first_part[i];
    row[i] = k < NAME_first_part[i + 1] ? (double)NAME_counters[NAME_parts[k]] : 0.0;
    for (++k; k < NAME_first_part[i + 1]; ++k) row[i] += (NAME_adds[i] ? 1.0 : -1.0) * (double)NAME_counters[NAME_parts[k]];
  }
  for (; i < NAME_FEATURES; ++i) row[i] = NAME_shown(i - NAME_PATTERNS, status, signal);
  for (i = 0; NAME_test[node] >= 0; ++i) {
    const int test = NAME_test[node];
    nothing = (i == 0 || nothing) && test < NAME_PATTERNS && row[test] == 0.0; /* of all that was asked nothing was seen */
    node = NAME_child[node] + (row[test] > NAME_cut[node]);
  }
  label = NAME_answer[node];
  found->label = NAME_labels[label], found->message = NAME_messages[label];
  found->in_doubt = NAME_in_doubt[label];
  found->confidence = NAME_sure[node], found->percent = NAME_percent[node], found->opening = NAME_opening[2 * node + nothing];
  other = NAME_second(node, label, signal ? -signal : status, *found->opening == 0);
  if (other >= 0) found->other = NAME_messages[other] ? NAME_messages[other] : NAME_labels[other];
  found->unknown = NAME_HAS_NORMAL && NAME_oddness(label, row, status, signal) > NAME_LIMIT;
  NAME_doubt(label, status, signal, found);
  return 1;
}

static void NAME_write(const char* text) {
  size_t left = strlen(text);
  while (left > 0) {
    const ssize_t n = write(2, text, left);
    if (n <= 0) return;
    text += n, left -= (size_t)n;
  }
}

static void NAME_say(int status, int signal) {
  struct NAME_diagnosis found;
  if (getpid() != NAME_process) return;
  if (!NAME_diagnose(status, signal, &found)) {
    NAME_write("Nothing can be said about this failure: ");
    NAME_write(found.trouble);
  } else if (found.unknown && !(found.doubt[0] && signal == 0 && status == 0)) {
    NAME_write(NAME_UNKNOWN);
  } else if (found.doubt[0]) {
    NAME_write(found.doubt[0]), NAME_write(found.doubt[1]), NAME_write(found.doubt[2]);
    if (signal != 0 || status != 0) NAME_write(NAME_NEAREST), NAME_write(found.message ? found.message : found.label);
    if (found.other && (signal != 0 || status != 0)) NAME_write(NAME_OTHERWISE), NAME_write(found.other);
  } else {
    NAME_write(found.opening), NAME_write(found.message ? found.message : found.label);
    if (found.other) NAME_write(NAME_OTHERWISE), NAME_write(found.other);
#ifdef NAME_WHY
    NAME_write("\n("), NAME_write(found.label), NAME_write(", confidence "), NAME_write(found.percent), NAME_write(")");
#endif
  }
#ifdef NAME_WHY
  if (!found.trouble && (found.unknown || found.doubt[0])) NAME_write("\n(most like: "), NAME_write(found.label), NAME_write(")");
#endif
  NAME_write("\n");
}

static void NAME_left(int status, void* nothing) {
  (void)nothing;
  status &= 0xff;
#ifndef NAME_ALWAYS
  if (status == 0) return;
#endif
  NAME_say(status, 0);
}

static void NAME_crashed(int signal) {
  NAME_say(0, signal);
  raise(signal); /* SA_RESETHAND: as if nobody had looked */
}

__attribute__((constructor)) static void NAME_begin(void) {
  static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
  static char stack[65536];
  struct stat status;
  struct sigaction action, before;
  stack_t other;
  size_t i;
  int file;
  NAME_trouble = "it is being recorded, or watched from outside";
  if (getenv("THRIFTWOOD_CLARIFY_DIR")) return;
  NAME_trouble = "its own file cannot be read";
  file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
    void* const content = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (content != MAP_FAILED) {
      NAME_trouble = NAME_watch((const unsigned char*)content, (size_t)status.st_size);
      munmap(content, (size_t)status.st_size);
    }
  }
  if (file >= 0) close(file);
  NAME_frames = NAME_first_frames, NAME_room = NAME_DEEPEST;
  NAME_process = getpid();
  clock_gettime(CLOCK_MONOTONIC, &NAME_began);
  on_exit(NAME_left, 0);
  memset(&other, 0, sizeof other);
  if (sigaltstack(0, &other) == 0 && (other.ss_flags & SS_DISABLE)) {
    other.ss_sp = stack, other.ss_size = sizeof stack, other.ss_flags = 0;
    sigaltstack(&other, 0);
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = NAME_crashed;
  action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
  for (i = 0; i < sizeof signals / sizeof *signals; ++i) {
    if (sigaction(signals[i], 0, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(signals[i], &action, 0);
  }
}
