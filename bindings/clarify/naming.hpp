// What a code object is called: `module:qualname:first line`, and which files its functions come from.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>

namespace thriftwood::clarify::python {

// How the hash of a source file is made: importlib's function, and its key, which changes with Python's bytecode.
struct SourceHash {
  PyObject* function = nullptr;
  PyObject* key = nullptr;
};
extern SourceHash source_hash;

// None of these fails: what cannot be read is "?".
std::string text_of(PyObject* object, const char* attribute);
std::string module_of(PyObject* globals);
std::string name_of(PyObject* code, PyObject* globals);

// The module in a function's name.
inline std::string module_in(const std::string& name) { return name.substr(0, name.find(':')); }

// Python's own import machinery is not recorded: what it does depends on caches of compiled files. Its callees are nobody's children.
bool is_machinery(PyObject* code);

// Puts the hash of the code's file down, once per file. Generated code has none.
void note_build(PyObject* code);

}  // namespace thriftwood::clarify::python
