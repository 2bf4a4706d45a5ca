/* What a static frametool leaves out of the libraries in it, each with what a caller sees. */
#include <stddef.h>

/* ICU, 31 MB, which Debian's libxml2 asks for encodings that iconv does not have: such an encoding is unsupported.
 * UTF-8, UTF-16, Latin-1, windows-1252, EUC-JP and what else iconv knows are read without it. */
enum { ICU_FILE_ACCESS_ERROR = 4 };
void *ucnv_open_72(const char *name, int *error) {
  (void)name;
  *error = ICU_FILE_ACCESS_ERROR;
  return NULL;
}
void ucnv_close_72(void *converter) { (void)converter; }
int ucnv_convertEx_72(void) { return 0; }
int ucnv_setFromUCallBack_72(void) { return 0; }
int ucnv_setToUCallBack_72(void) { return 0; }
int UCNV_FROM_U_CALLBACK_STOP_72(void) { return 0; }
int UCNV_TO_U_CALLBACK_STOP_72(void) { return 0; }

/* systemd, which only the server side of libdbus calls. */
int sd_listen_fds(int unset) {
  (void)unset;
  return 0;
}
int sd_is_socket(int file, int family, int type, int listening) {
  (void)file, (void)family, (void)type, (void)listening;
  return 0;
}

/* The package manager names the main function of a program after it. */
extern int frametool_main(int count, char **arguments);
int main(int count, char **arguments) { return frametool_main(count, arguments); }
