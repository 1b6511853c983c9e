// Watching on Python 3.11: the code of the plan's functions gets a call of a builtin at its start; other code stays as it is.
//
//   tick      that builtin, one for each code object
//   treating  code about to be run is looked through for functions of the plan; theirs is replaced where it lies among the constants, before
//             a function is made of it. Modules, scripts and texts given to `exec` all pass by the audit event `exec`. The module's name
//             is known when its frame begins, so for that moment frames are evaluated by us (PEP 523), and then by Python again.
#include "events.hpp"

#if PY_VERSION_HEX < 0x030C0000

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

#include <cstring>
#include <string>
#include <unordered_set>

#include "loaded.hpp"
#include "naming.hpp"
#include "session.hpp"
#include "watching.hpp"

namespace thriftwood::clarify::python {

namespace {

using Evaluated = _PyInterpreterFrame;

PyObject* with_tick = nullptr;              // thriftwood.clarify.ticking.with_tick
std::unordered_set<std::string> modules;    // that have functions in the plan
std::unordered_set<PyObject*> ticked;       // code that has a tick
PyCodeObject* awaited = nullptr;            // about to be run
bool main_seen = false;

void begin(std::uint32_t function, Evaluated* frame) {
  watching.started(function, {frame, frame->f_code}, [frame](int steps) {
    const Evaluated* below = frame;
    while (below && steps-- > 0) below = below->previous;
    return below ? Place{below, below->f_code} : Place{nullptr, nullptr};
  });
}

PyObject* tick(PyObject* self, PyObject* const*, Py_ssize_t) {
  const auto function = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(PyCapsule_GetPointer(self, nullptr)) - 1);
  begin(function, PyThreadState_Get()->cframe->current_frame);
  Py_RETURN_NONE;
}
PyMethodDef tick_definition = {"tick", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tick)), METH_FASTCALL, nullptr};

// New reference to the code with a tick, or nullptr with an exception.
PyObject* ticking(PyObject* code, std::uint32_t function) {
  PyObject* const number = PyCapsule_New(reinterpret_cast<void*>(std::uintptr_t{function} + 1), nullptr, nullptr);
  PyObject* const builtin = number ? PyCFunction_New(&tick_definition, number) : nullptr;
  PyObject* const made = builtin ? PyObject_CallFunctionObjArgs(with_tick, code, builtin, nullptr) : nullptr;
  Py_XDECREF(number);
  Py_XDECREF(builtin);
  if (made) {
    ticked.insert(Py_NewRef(made));
    session.number(watching.orders()[function].name);
    note_build(code);
  }
  return made;
}

std::string name_in(const std::string& module, PyCodeObject* code) {
  return module + ':' + PyUnicode_AsUTF8(code->co_qualname) + ':' + std::to_string(code->co_firstlineno);
}

// The code that is to be run instead: a new reference, the same code if it is not in the plan. Constants change where they are: the
// interpreter holds the tuple already.
PyObject* treated(PyObject* code, const std::string& module, bool itself) {
  if (ticked.contains(code)) return Py_NewRef(code);
  PyObject* const constants = reinterpret_cast<PyCodeObject*>(code)->co_consts;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(constants); ++i) {
    PyObject* const constant = PyTuple_GET_ITEM(constants, i);
    if (!PyCode_Check(constant)) continue;
    PyObject* const better = treated(constant, module, true);
    if (!better) return nullptr;
    PyTuple_SET_ITEM(constants, i, better);
    Py_DECREF(constant);
  }
  const std::uint32_t function = itself ? watching.orders().find(name_in(module, reinterpret_cast<PyCodeObject*>(code))) : nobody;
  return function == nobody ? Py_NewRef(code) : ticking(code, function);
}

PyObject* await(PyThreadState* thread, Evaluated* frame, int throwing) {
  const bool is_module = PyUnicode_CompareWithASCIIString(frame->f_code->co_name, "<module>") == 0;
  if (!throwing && (frame->f_code == awaited || (!main_seen && is_module))) {
    const std::string module = module_of(frame->f_globals);
    awaited = nullptr;
    main_seen = main_seen || (is_module && module == "__main__");
    if (main_seen) _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), _PyEval_EvalFrameDefault);
    if (modules.contains(module)) {
      auto* const code = reinterpret_cast<PyObject*>(frame->f_code);
      PyObject* const same = treated(code, module, false);
      if (!same) return nullptr;
      Py_DECREF(same);
      note_build(code);  // of another build no function may be found
      const std::uint32_t function = watching.orders().find(name_in(module, frame->f_code));
      if (function != nobody) {
        session.number(watching.orders()[function].name);
        frame->previous = thread->cframe->current_frame;  // as the interpreter is about to set it
        begin(function, frame);
      }
    }
  }
  return _PyEval_EvalFrameDefault(thread, frame, throwing);
}

int hear(const char* event, PyObject* arguments, void*) {
  if (std::strcmp(event, "exec") != 0 || PyTuple_GET_SIZE(arguments) != 1) return 0;
  PyObject* const code = PyTuple_GET_ITEM(arguments, 0);
  if (!PyCode_Check(code)) return 0;
  awaited = reinterpret_cast<PyCodeObject*>(code);
  _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), await);
  return 0;
}

// Functions that were made before: their code is replaced in them.
bool treat_loaded() {
  PyObject* last = nullptr;  // functions of a module mostly come one after the other
  std::string module;
  bool wanted = false;
  return each_loaded_function([&](PyObject* function) {
    if (PyFunction_GetGlobals(function) != last) {
      last = PyFunction_GetGlobals(function);
      module = module_of(last);
      wanted = modules.contains(module);
    }
    if (!wanted) return true;
    PyObject* const code = PyFunction_GetCode(function);
    PyObject* const better = treated(code, module, true);
    const bool done = better && (better == code || PyObject_SetAttrString(function, "__code__", better) == 0);
    Py_XDECREF(better);
    return done;
  });
}

// Modules that are running, of a program that watches itself: their functions are made of constants later.
bool treat_running() {
  for (Evaluated* frame = PyThreadState_Get()->cframe->current_frame; frame; frame = frame->previous) {
    const std::string module = frame->f_globals ? module_of(frame->f_globals) : std::string();
    main_seen = main_seen || module == "__main__";
    if (!modules.contains(module)) continue;
    auto* const code = reinterpret_cast<PyObject*>(frame->f_code);
    PyObject* const same = treated(code, module, false);
    if (!same) return false;
    Py_DECREF(same);
    note_build(code);
  }
  return true;
}

}  // namespace

bool watch_events(PyObject* tick_maker) {
  with_tick = Py_NewRef(tick_maker);
  for (const WatchedFunction& function : watching.orders().functions()) modules.insert(module_in(function.name));
  if (!treat_loaded() || !treat_running() || PySys_AddAuditHook(hear, nullptr) < 0) return false;
  if (!main_seen) _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), await);
  return true;
}

}  // namespace thriftwood::clarify::python

#endif
