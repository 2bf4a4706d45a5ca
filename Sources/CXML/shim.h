// XML documents (Debian: libxml2-dev, macOS: brew libxml2).
// Functions that newer versions deprecate exist in all versions.
#define XML_DEPRECATED
#define XML_DEPRECATED_MEMBER
#include <libxml/xmlversion.h>
// Swift's Foundation includes an ICU, and two of them in a module's headers conflict. Nothing that libxml2 declares
// with ICU is used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
