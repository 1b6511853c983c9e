#include "naming.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.hpp"

namespace thriftwood::clarify::python {

SourceHash source_hash;

namespace {

// A text without the signs that part fields and lines in plans and profiles.
std::string plain_text(PyObject* text) {
  Py_ssize_t length = 0;
  const char* bytes = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &length) : nullptr;
  if (!bytes) {
    PyErr_Clear();
    return "?";
  }
  std::string plain(bytes, static_cast<std::size_t>(length));
  for (char& sign : plain) {
    if (static_cast<unsigned char>(sign) < ' ') sign = '?';
  }
  return plain;
}

std::string content_of(const std::string& path) {
  std::string content;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return content;
  struct stat status{};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    content.resize(static_cast<std::size_t>(status.st_size));
    std::size_t have = 0;
    for (ssize_t got = 1; have < content.size() && got > 0; have += got > 0 ? static_cast<std::size_t>(got) : 0) {
      got = ::read(file, content.data() + have, content.size() - have);
    }
    content.resize(have);
  }
  ::close(file);
  return content;
}

// 16 digits, as importlib writes it into the compiled files that go by it.
std::string hash_of(const std::string& content) {
  PyObject* hash = PyObject_CallFunction(source_hash.function, "Oy#", source_hash.key, content.data(), static_cast<Py_ssize_t>(content.size()));
  char* bytes = nullptr;
  Py_ssize_t length = 0;
  std::string digits;
  if (hash && PyBytes_AsStringAndSize(hash, &bytes, &length) == 0) {
    for (Py_ssize_t i = 0; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      digits += "0123456789abcdef"[byte >> 4];
      digits += "0123456789abcdef"[byte & 15];
    }
  }
  PyErr_Clear();
  Py_XDECREF(hash);
  return digits;
}

}  // namespace

std::string text_of(PyObject* object, const char* attribute) {
  PyObject* const value = PyObject_GetAttrString(object, attribute);
  const std::string text = plain_text(value);
  PyErr_Clear();
  Py_XDECREF(value);
  return text;
}

std::string module_of(PyObject* globals) { return plain_text(globals ? PyDict_GetItemString(globals, "__name__") : nullptr); }

std::string name_of(PyObject* code, PyObject* globals) {
  PyObject* const line = PyObject_GetAttrString(code, "co_firstlineno");
  const long first = line ? PyLong_AsLong(line) : 0;
  Py_XDECREF(line);
  PyErr_Clear();
  return module_of(globals) + ':' + text_of(code, "co_qualname") + ':' + std::to_string(first);
}

bool is_machinery(PyObject* code) {
  const std::string file = text_of(code, "co_filename");
  return file.starts_with("<frozen importlib.") || file == "<frozen zipimport>";
}

void note_build(PyObject* code) {
  const std::string path = text_of(code, "co_filename");
  if (path.starts_with('<') || session.has_build(path)) return;
  const std::string content = content_of(path);
  session.add_build(path, content.empty() ? std::string() : hash_of(content));
}

}  // namespace thriftwood::clarify::python
