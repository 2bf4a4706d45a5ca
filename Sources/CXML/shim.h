// XML documents (Debian: libxml2-dev, macOS: brew libxml2).
// What newer versions advise against is there in all of them.
#define XML_DEPRECATED
#define XML_DEPRECATED_MEMBER
#include <libxml/xmlversion.h>
// Swift's Foundation brings an ICU of its own, and two of them in a module's headers contradict
// each other. What libxml2 declares with it is nothing that is used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
