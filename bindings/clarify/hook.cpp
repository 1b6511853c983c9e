// The extension module `thriftwood.clarify._hook`, loaded by startup/sitecustomize.py into the program that is recorded.
#include <cstring>

#include "activations.hpp"
#include "events.hpp"
#include "naming.hpp"
#include "session.hpp"
#include "watching.hpp"

namespace thriftwood::clarify::python {

Activations& activations = *new Activations;  // as the session, they outlast the end of main
Watching& watching = *new Watching;

namespace {

PyObject* forked(PyObject*, PyObject*) {
  session.forked();
  watching.forget_open();
  Py_RETURN_NONE;
}
PyMethodDef forked_definition = {"forked", forked, METH_NOARGS, nullptr};

// Only forks that go on in Python: a child that calls exec at once needs no file.
bool notice_forks() {
  PyObject* const os = PyImport_ImportModule("posix");
  PyObject* const callback = PyCFunction_New(&forked_definition, nullptr);
  PyObject* const method = os ? PyObject_GetAttrString(os, "register_at_fork") : nullptr;
  PyObject* const empty = PyTuple_New(0);
  PyObject* const named = callback ? Py_BuildValue("{s:O}", "after_in_child", callback) : nullptr;
  PyObject* const done = method && empty && named ? PyObject_Call(method, empty, named) : nullptr;
  const bool noticed = done != nullptr;
  for (PyObject* object : {os, callback, method, empty, named, done}) Py_XDECREF(object);
  return noticed;
}

// By Python's own list: after a KeyboardInterrupt it ends by a signal, and C's list is never worked off.
PyObject* note_end() {
  if (Py_AtExit([] { session.end(); }) == 0) Py_RETURN_NONE;
  PyErr_SetString(PyExc_RuntimeError, "Python's list of functions to be called at exit is full.");
  return nullptr;
}

bool begin_session(const char* folder, Mode mode) {
  if (session.begin(folder, mode)) return true;
  PyErr_Format(PyExc_OSError, "No profile can be written into %s.", folder);
  return false;
}

PyObject* record(PyObject*, PyObject* args) {
  const char *folder = nullptr, *mode = nullptr;
  PyObject *hash = nullptr, *key = nullptr;
  if (!PyArg_ParseTuple(args, "ssOO:record", &folder, &mode, &hash, &key)) return nullptr;
  source_hash = {Py_NewRef(hash), Py_NewRef(key)};
  const bool trees = std::strcmp(mode, "ctp") == 0;
  if (!begin_session(folder, trees ? Mode::trees : Mode::counts) || !notice_forks() || !record_events()) return nullptr;
  return note_end();
}

PyObject* watch(PyObject*, PyObject* args) {
  const char *folder = nullptr, *plan = nullptr;
  PyObject *with_tick = nullptr, *hash = nullptr, *key = nullptr;
  if (!PyArg_ParseTuple(args, "ssOOO:watch", &folder, &plan, &with_tick, &hash, &key)) return nullptr;
  source_hash = {Py_NewRef(hash), Py_NewRef(key)};
  if (!watching.begin(plan)) {
    PyErr_SetString(PyExc_ValueError, "This is no plan that can be watched: a line is no pattern, or a function has more than 64 children.");
    return nullptr;
  }
  if (!begin_session(folder, Mode::watch)) return nullptr;
  std::uint64_t* const lines = session.lines(watching.lines());
  if (!lines) {
    PyErr_NoMemory();
    return nullptr;
  }
  watching.count_in(lines);
  if (!notice_forks() || !watch_events(with_tick)) return nullptr;
  return note_end();
}

PyMethodDef methods[] = {
    {"record", record, METH_VARARGS, "record(folder, mode, source_hash, key)\n--\n\nRecord this process from now on."},
    {"watch", watch, METH_VARARGS,
     "watch(folder, plan, with_tick, source_hash, key)\n--\n\nCount the patterns of a plan in this process from now on."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef_Slot slots[] = {{0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "thriftwood.clarify._hook", "Records the program it is loaded into.", 0, methods, slots, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace thriftwood::clarify::python

PyMODINIT_FUNC PyInit__hook() { return PyModuleDef_Init(&thriftwood::clarify::python::definition); }
