// XML documents (Debian: libxml2-dev, macOS: brew libxml2).
#include <libxml/parser.h>
