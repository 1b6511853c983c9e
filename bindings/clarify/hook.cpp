// The extension module `thriftwood.clarify._hook`, loaded by startup/sitecustomize.py into the program that is recorded.
#include <cstdlib>
#include <cstring>

#include "activations.hpp"
#include "events.hpp"
#include "naming.hpp"
#include "session.hpp"

namespace thriftwood::clarify::python {

Activations& activations = *new Activations;

namespace {

PyObject* forked(PyObject*, PyObject*) {
  session.forked();
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

PyObject* start(PyObject*, PyObject* args) {
  const char *folder = nullptr, *mode = nullptr;
  PyObject *hash = nullptr, *key = nullptr;
  if (!PyArg_ParseTuple(args, "ssOO:start", &folder, &mode, &hash, &key)) return nullptr;
  if (session.active()) {
    PyErr_SetString(PyExc_RuntimeError, "This process is recorded already.");
    return nullptr;
  }
  source_hash = {Py_NewRef(hash), Py_NewRef(key)};
  const Mode wanted = std::strcmp(mode, "fc") == 0 ? Mode::counts : Mode::trees;
  if (!session.begin(folder, wanted)) {
    PyErr_Format(PyExc_OSError, "No profile can be written into %s.", folder);
    return nullptr;
  }
  if (!notice_forks() || !record_events()) return nullptr;
  std::atexit([] { session.end(); });
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"start", start, METH_VARARGS, "start(folder, mode, source_hash, key)\n--\n\nRecord this process from now on."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef_Slot slots[] = {{0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "thriftwood.clarify._hook", "Records the program it is loaded into.",
                          0, methods, slots, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace thriftwood::clarify::python

PyMODINIT_FUNC PyInit__hook() { return PyModuleDef_Init(&thriftwood::clarify::python::definition); }
