#ifndef LARDER_CCURL_SHIM_H
#define LARDER_CCURL_SHIM_H

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <curl/curl.h>
#include <zlib.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt take variable arguments, which Swift
 * cannot call. One wrapper for each type of argument; the caller sees to it that option and type
 * belong together. */

static inline CURLcode larder_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

/* libcurl copies the string. A null pointer takes the option back to its default. */
static inline CURLcode larder_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_list(
    CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_CURLU: libcurl copies the parts when the request begins. */
static inline CURLcode larder_curl_set_parts(CURL *easy, CURLU *parts) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, parts);
}

/* For CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION. */
typedef size_t (*larder_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode larder_curl_set_sink(
    CURL *easy, CURLoption option, larder_curl_sink value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_SEEKFUNCTION. */
typedef int (*larder_curl_seek)(void *context, curl_off_t offset, int origin);

static inline CURLcode larder_curl_set_seek(CURL *easy, larder_curl_seek value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

/* For CURLOPT_PREREQFUNCTION, which libcurl calls before each sending of a request, be it the second
 * one; -1 where it is older than that option (7.80). */
typedef int (*larder_curl_prereq)(
    void *context, char *address, char *localAddress, int port, int localPort);

static inline int larder_curl_set_prereq(CURL *easy, larder_curl_prereq value, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value) == CURLE_OK ? 0 : -1;
#else
    (void)easy;
    (void)value;
    (void)context;
    return -1;
#endif
}

/* What such a callback returns: CURL_PREREQFUNC_OK and CURL_PREREQFUNC_ABORT, where they exist. */
enum { LARDER_CURL_PREREQ_OK = 0, LARDER_CURL_PREREQ_ABORT = 1 };

/* For CURLOPT_SOCKOPTFUNCTION, which libcurl calls with each socket before it is connected. */
typedef int (*larder_curl_sockopt)(void *context, curl_socket_t socket, curlsocktype purpose);

static inline CURLcode larder_curl_set_sockopt(
    CURL *easy, larder_curl_sockopt value, void *context) {
    curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, value);
}

/* For CURLOPT_CLOSESOCKETFUNCTION, which closes a socket of a connection, whichever handle uses that. */
typedef int (*larder_curl_close_socket)(void *context, curl_socket_t socket);

static inline CURLcode larder_curl_set_close_socket(
    CURL *easy, larder_curl_close_socket value, void *context) {
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

/* The port of an address, and its host as text in a space of INET6_ADDRSTRLEN; -1 where it has none. */
static inline int larder_address_parts(const struct sockaddr_storage *address, char *host) {
    const void *bytes = NULL;
    int port = -1;
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *inet = (const struct sockaddr_in *)address;
        bytes = &inet->sin_addr;
        port = ntohs(inet->sin_port);
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *inet = (const struct sockaddr_in6 *)address;
        bytes = &inet->sin6_addr;
        port = ntohs(inet->sin6_port);
    }
    return bytes && inet_ntop(address->ss_family, bytes, host, INET6_ADDRSTRLEN) ? port : -1;
}

/* Whether a descriptor is that of a socket that connects a local port to a host's. The local port by
 * itself says nothing: connections to different hosts may have the same. */
static inline int larder_socket_connects(
    int descriptor, int local_port, const char *host, int port) {
    struct sockaddr_storage address;
    char text[INET6_ADDRSTRLEN];
    socklen_t size = sizeof(address);
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0
        || larder_address_parts(&address, text) != local_port) {
        return 0;
    }
    size = sizeof(address);
    return getpeername(descriptor, (struct sockaddr *)&address, &size) == 0
        && larder_address_parts(&address, text) == port && strcmp(text, host) == 0;
}

/* A timer that can be waited for; -1 where there are no descriptors left. */
static inline int larder_timer_create(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
}

static inline void larder_timer_set(int timer, long nanoseconds) {
    struct itimerspec time = {{0, 0}, {0, nanoseconds}};
    timerfd_settime(timer, 0, &time, NULL);
}

static inline void larder_timer_wait(int timer) {
    uint64_t count;
    while (read(timer, &count, sizeof(count)) < 0 && errno == EINTR) {
    }
}

/* Whether a socket has nothing to read, not even its end. */
static inline int larder_socket_is_at_rest(int descriptor) {
    char byte;
    return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0
        && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

/* What the TLS library has for the connection that libcurl uses for a handle right now; NULL where there
 * is none, as it is not yet there or libcurl is done with it, or where the library has nothing to show. */
static inline const void *larder_curl_tls_session(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    return curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK && info
        ? info->internals
        : NULL;
}

/* Whether the TLS library may hold bytes of the connection in use that libcurl has not asked for: they
 * are in the socket no more. Of libraries other than OpenSSL and GnuTLS it is not known, so that they
 * may. */
static inline int larder_curl_may_hold_unread_tls(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info
        || !info->internals) {
        return 0;
    }
    /* Looked up, so that nothing else has to be there to build with. */
    if (info->backend == CURLSSLBACKEND_OPENSSL) {
        int (*has_pending)(const void *) =
            (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_has_pending");
        return !has_pending || has_pending(info->internals) != 0;
    }
    if (info->backend == CURLSSLBACKEND_GNUTLS) {
        size_t (*check_pending)(void *) =
            (size_t (*)(void *))dlsym(RTLD_DEFAULT, "gnutls_record_check_pending");
        return !check_pending || check_pending(info->internals) != 0;
    }
    return 1;
}

/* Whether both ends of the connection in use have agreed on HTTP/2 in their TLS handshake (ALPN). Of
 * libraries other than OpenSSL and GnuTLS it is not known, so that they have not. */
static inline int larder_curl_agreed_on_http2(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    struct {
        const unsigned char *text;
        unsigned int count;
    } chosen = {NULL, 0};
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info
        || !info->internals) {
        return 0;
    }
    if (info->backend == CURLSSLBACKEND_OPENSSL) {
        void (*get)(const void *, const unsigned char **, unsigned int *) =
            (void (*)(const void *, const unsigned char **, unsigned int *))dlsym(
                RTLD_DEFAULT, "SSL_get0_alpn_selected");
        if (get) get(info->internals, &chosen.text, &chosen.count);
    } else if (info->backend == CURLSSLBACKEND_GNUTLS) {
        int (*get)(void *, void *) = (int (*)(void *, void *))dlsym(
            RTLD_DEFAULT, "gnutls_alpn_get_selected_protocol");
        if (get && get(info->internals, &chosen) < 0) chosen.count = 0;
    }
    return chosen.text && chosen.count == 2 && memcmp(chosen.text, "h2", 2) == 0;
}

/* For CURLOPT_XFERINFOFUNCTION. */
typedef int (*larder_curl_progress)(
    void *context, curl_off_t expected, curl_off_t received, curl_off_t toSend, curl_off_t sent);

static inline CURLcode larder_curl_set_progress(CURL *easy, larder_curl_progress value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

/* http and https only, by CURLOPT_PROTOCOLS, which libcurl has had for longer than the option that takes
 * names, and need not look up. */
static inline CURLcode larder_curl_allow_http_only(CURL *easy) {
    return curl_easy_setopt(
        easy, (CURLoption)(CURLOPTTYPE_LONG + 181), (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

/* Removing a handle while its host name is being looked up waits for the look-up to end, unless
 * this option is set; the look-up's thread then cleans up after itself. Newer than 7.86 only. */
static inline CURLcode larder_curl_leave_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

/* The host of a URL as libcurl reads it, to be given back with curl_free, and its port; NULL where it cannot
 * read it. */
static inline char *larder_curl_url_host(const char *url, int *port) {
    CURLU *parts = curl_url();
    char *host = NULL;
    char *digits = NULL;
    if (parts && curl_url_set(parts, CURLUPART_URL, url, CURLU_PATH_AS_IS) == CURLUE_OK
        && curl_url_get(parts, CURLUPART_PORT, &digits, CURLU_DEFAULT_PORT) == CURLUE_OK
        && curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
        *port = atoi(digits);
    }
    curl_free(digits);
    curl_url_cleanup(parts);
    return host;
}

/* For the options that take contents, which libcurl copies; older ones than 7.71 have none of them. */
static inline CURLcode larder_curl_set_contents(
    CURL *easy, CURLoption option, const void *bytes, size_t count) {
#if LIBCURL_VERSION_NUM >= 0x074700
    struct curl_blob contents = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &contents);
#else
    (void)easy;
    (void)option;
    (void)bytes;
    (void)count;
    return CURLE_UNKNOWN_OPTION;
#endif
}

/* The file and the folder of the authorities that are trusted unless others are set; NULL where there is
 * none, or where nobody says, before 7.70. */
static inline const char *larder_curl_authority_file(void) {
#if LIBCURL_VERSION_NUM >= 0x074600
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
#else
    return NULL;
#endif
}

static inline const char *larder_curl_authority_folder(void) {
#if LIBCURL_VERSION_NUM >= 0x074600
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info->age >= CURLVERSION_SEVENTH ? info->capath : NULL;
#else
    return NULL;
#endif
}

/* The version of the library that is loaded, such as 0x075801 for 7.88.1. */
static inline unsigned int larder_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

static inline CURLcode larder_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* When the phases of the last transfer ended, in microseconds since it began, 0 for one that there was
 * none of; and how many connections it has opened. */
typedef struct {
    int64_t looked_up;
    int64_t connected;
    int64_t secured;
    int64_t answered;
    int64_t ended;
    long connections;
} larder_curl_times;

static inline larder_curl_times larder_curl_get_times(CURL *easy) {
    curl_off_t times[5] = {0};
    larder_curl_times result = {0};
    curl_easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &times[0]);
    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &times[1]);
    curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &times[2]);
    curl_easy_getinfo(easy, CURLINFO_STARTTRANSFER_TIME_T, &times[3]);
    curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &times[4]);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &result.connections);
    result.looked_up = times[0];
    result.connected = times[1];
    result.secured = times[2];
    result.answered = times[3];
    result.ended = times[4];
    return result;
}

static inline CURLcode larder_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode larder_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* How many host names are looked up at a time, which is CURLMOPT_RESOLVE_THREADS_MAX. It came with 8.20,
 * which looks up 20, and may be newer than what this is built with. Older releases have no bound, and
 * refuse it. */
static inline CURLMcode larder_curl_allow_lookups(CURLM *multi, long count) {
    return curl_multi_setopt(multi, (CURLMoption)20, count);
}

/* CURLMsg holds a union, which Swift imports without its members' names. */
static inline CURLcode larder_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

/* Foundation's name for a thread does not reach the system, and prctl takes variable arguments. */
static inline void larder_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0L, 0L, 0L);
}

/* inflateInit2 is a macro. 16 more than the largest window makes zlib expect a gzip header and
 * check the CRC and the length in its trailer. */
static inline int larder_gzip_open(z_stream *stream) {
    memset(stream, 0, sizeof(*stream));
    return inflateInit2(stream, MAX_WBITS + 16);
}

/* deflateInit2 is a macro, too. A negative window makes zlib write neither header nor trailer. */
static inline int larder_deflate_open(z_stream *stream) {
    memset(stream, 0, sizeof(*stream));
    return deflateInit2(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

/* The decoders of brotli (RFC 7932) and zstd (RFC 8878), as their libraries have declared them since their
 * first stable releases. They are looked up when they are needed, so that nothing else has to be there to
 * build with or to run; libcurl mostly brings them. All members are NULL where a library is missing. */
typedef struct {
    void *(*create)(void *allocate, void *release, void *opaque);
    int (*decode)(
        void *state, size_t *available_in, const uint8_t **next_in, size_t *available_out,
        uint8_t **next_out, size_t *total_out);
    void (*destroy)(void *state);
} larder_brotli_library;

enum { LARDER_BROTLI_ERROR = 0, LARDER_BROTLI_END = 1 };

static inline larder_brotli_library larder_brotli_load(void) {
    larder_brotli_library library = {NULL, NULL, NULL};
    void *handle = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return library;
    library.create = (void *(*)(void *, void *, void *))dlsym(handle, "BrotliDecoderCreateInstance");
    library.decode = (int (*)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *))dlsym(
        handle, "BrotliDecoderDecompressStream");
    library.destroy = (void (*)(void *))dlsym(handle, "BrotliDecoderDestroyInstance");
    if (!library.create || !library.decode || !library.destroy) {
        memset(&library, 0, sizeof(library));
    }
    return library;
}

typedef struct {
    const void *bytes;
    size_t count;
    size_t position;
} larder_zstd_input;

typedef struct {
    void *bytes;
    size_t count;
    size_t position;
} larder_zstd_output;

typedef struct {
    void *(*create)(void);
    size_t (*set)(void *context, int parameter, int value);
    size_t (*decode)(void *context, larder_zstd_output *output, larder_zstd_input *input);
    unsigned (*is_error)(size_t result);
    size_t (*destroy)(void *context);
} larder_zstd_library;

/* The binary logarithm of the largest window; more than the 8 MiB of RFC 9659 is refused. */
enum { LARDER_ZSTD_WINDOW_PARAMETER = 100, LARDER_ZSTD_LARGEST_WINDOW = 23 };

static inline larder_zstd_library larder_zstd_load(void) {
    larder_zstd_library library = {NULL, NULL, NULL, NULL, NULL};
    void *handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return library;
    library.create = (void *(*)(void))dlsym(handle, "ZSTD_createDCtx");
    library.set = (size_t (*)(void *, int, int))dlsym(handle, "ZSTD_DCtx_setParameter");
    library.decode = (size_t (*)(void *, larder_zstd_output *, larder_zstd_input *))dlsym(
        handle, "ZSTD_decompressStream");
    library.is_error = (unsigned (*)(size_t))dlsym(handle, "ZSTD_isError");
    library.destroy = (size_t (*)(void *))dlsym(handle, "ZSTD_freeDCtx");
    if (!library.create || !library.set || !library.decode || !library.is_error
        || !library.destroy) {
        memset(&library, 0, sizeof(library));
    }
    return library;
}

#endif
