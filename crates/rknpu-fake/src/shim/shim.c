/* Preloaded into a client of the rknpu kernel driver. It decides nothing: opens of device nodes, ioctls on what they return and
 * mappings of it go over a Unix socket to the process that plays the driver, and memory comes back as file descriptors.
 *
 * A device file descriptor is the socket itself, one connection per open. So duplicates, forks and the last close mean to the
 * host what they would mean to a kernel, and no table of descriptors is needed: a descriptor is ours if its peer has our name.
 *
 * A message is a header, a payload and at most one file descriptor, in one SOCK_SEQPACKET packet; src/wire.rs is the other side. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PAYLOAD 4096
enum { OPEN = 1, CONTROL = 2, MAP = 3, UNMAP = 4 };
struct request { uint32_t kind, code; uint64_t first, second; unsigned char payload[PAYLOAD]; };
struct reply { int32_t result; uint32_t argument_bytes; uint64_t token; unsigned char payload[PAYLOAD]; };
enum { REQUEST_HEADER = offsetof(struct request, payload), REPLY_HEADER = offsetof(struct reply, payload) };

struct mapping { void *at; size_t bytes; int fd; uint64_t token; struct mapping *next; };
static struct mapping *mappings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) ({ static __typeof__(&name) found; if (!found) found = (__typeof__(&name))dlsym(RTLD_NEXT, #name); found; })

static const char *host(void) { return getenv("FERRITE_RKNPU_SOCKET"); }

static int is_ours(int fd) {
    struct sockaddr_un peer;
    socklen_t bytes = sizeof peer;
    const char *name = host();
    if (fd < 0 || !name) return 0;
    int saved = errno;
    memset(&peer, 0, sizeof peer);
    int ours = !getpeername(fd, (struct sockaddr *)&peer, &bytes) && peer.sun_family == AF_UNIX &&
               !strncmp(peer.sun_path, name, sizeof peer.sun_path);
    errno = saved;
    return ours;
}

/* One question and its answer; returns the result or a negative errno. The caller holds the lock. */
static int ask(int fd, struct request *request, size_t payload, int passed, struct reply *reply, int *received) {
    struct iovec out = {request, REQUEST_HEADER + payload}, in = {reply, sizeof *reply};
    union { struct cmsghdr align; char bytes[CMSG_SPACE(sizeof(int))]; } control;
    struct msghdr message = {.msg_iov = &out, .msg_iovlen = 1};
    if (passed >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_LEN(sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof(int));
    }
    ssize_t count;
    do count = sendmsg(fd, &message, MSG_NOSIGNAL); while (count < 0 && errno == EINTR);
    if (count < 0) return -EIO;
    memset(&message, 0, sizeof message);
    message.msg_iov = &in;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    do count = recvmsg(fd, &message, MSG_CMSG_CLOEXEC); while (count < 0 && errno == EINTR);
    if (count < (ssize_t)REPLY_HEADER) return -EIO;
    int got = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&got, CMSG_DATA(header), sizeof(int));
    if (received) *received = got;
    else if (got >= 0) close(got);
    return reply->result;
}

static int fail(int result) {
    if (result >= 0) return result;
    errno = -result;
    return -1;
}

static int is_device(const char *path) {
    return path && host() && (!strncmp(path, "/dev/dri/", 9) || !strcmp(path, "/dev/rknpu") || !strncmp(path, "/dev/dma_heap/", 14));
}

static int open_device(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, host(), sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) { close(fd); return fail(-ENODEV); }
    struct request request = {.kind = OPEN};
    struct reply reply;
    size_t bytes = strnlen(path, PAYLOAD);
    memcpy(request.payload, path, bytes);
    int result = ask(fd, &request, bytes, -1, &reply, NULL);
    if (result < 0) { close(fd); return fail(result); }
    return fd;
}

#define MODE(last) ({ va_list list; va_start(list, last); unsigned mode = va_arg(list, unsigned); va_end(list); mode; })
int open(const char *path, int flags, ...) { return is_device(path) ? open_device(path) : NEXT(open)(path, flags, MODE(flags)); }
int open64(const char *path, int flags, ...) { return is_device(path) ? open_device(path) : NEXT(open64)(path, flags, MODE(flags)); }
int openat(int at, const char *path, int flags, ...) { return is_device(path) ? open_device(path) : NEXT(openat)(at, path, flags, MODE(flags)); }
int openat64(int at, const char *path, int flags, ...) { return is_device(path) ? open_device(path) : NEXT(openat64)(at, path, flags, MODE(flags)); }
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }

/* Strings that an argument points to: (bytes of the buffer, pointer) pairs inside it. */
struct text { size_t at; };
static int texts(unsigned long code, struct text list[3]) {
    if (((code >> 8) & 0xff) != 'd') return 0;
    if ((code & 0xff) == 0x00) { list[0].at = 16; list[1].at = 32; list[2].at = 48; return 3; } /* DRM_IOCTL_VERSION */
    if ((code & 0xff) == 0x01) { list[0].at = 0; return 1; }                                    /* DRM_IOCTL_GET_UNIQUE */
    return 0;
}

/* The file descriptor that an argument hands in, or -1. */
static int passed_descriptor(unsigned long code, const unsigned char *argument) {
    int fd = -1;
    if (((code >> 8) & 0xff) == 'd' && (code & 0xff) == 0x2e) memcpy(&fd, argument + 8, 4); /* DRM_IOCTL_PRIME_FD_TO_HANDLE */
    if (((code >> 8) & 0xff) == 'r' && (code & 0xff) == 0x02) memcpy(&fd, argument, 4);     /* buffer of a dma-heap */
    return fd;
}

static int control(int fd, unsigned long code, void *argument) {
    size_t bytes = (code >> 16) & 0x3fff;
    struct request request = {.kind = CONTROL, .code = (uint32_t)code};
    struct reply reply;
    struct text list[3];
    int received = -1;
    if (bytes > PAYLOAD / 2 || (bytes && !argument)) return -EFAULT;
    memcpy(request.payload, argument, bytes);
    int result = ask(fd, &request, bytes, bytes >= 12 ? passed_descriptor(code, request.payload) : -1, &reply, &received);
    if (result < 0) { if (received >= 0) close(received); return result; }
    int count = texts(code, list);
    const unsigned char *extra = reply.payload + reply.argument_bytes;
    for (int k = 0; k < count; k++) {
        size_t room, have;
        char *to;
        memcpy(&room, (char *)argument + list[k].at, sizeof room);
        memcpy(&to, (char *)argument + list[k].at + sizeof room, sizeof to);
        memcpy(&have, reply.payload + list[k].at, sizeof have);
        if (to) memcpy(to, extra, room < have ? room : have);
        memcpy(reply.payload + list[k].at + sizeof room, &to, sizeof to);
        extra += have;
    }
    if (received >= 0) memcpy(reply.payload + reply.token, &received, 4); /* token: where the argument takes the descriptor */
    memcpy(argument, reply.payload, reply.argument_bytes < bytes ? reply.argument_bytes : bytes);
    return result;
}

int ioctl(int fd, unsigned long code, ...) {
    va_list list;
    va_start(list, code);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (!is_ours(fd)) {
        /* A dma-buf is a memfd here, which has no caches to begin and end access to. */
        if (((code >> 8) & 0xff) == 'b' && (code & 0xff) == 0 && host()) return 0;
        return NEXT(ioctl)(fd, code, argument);
    }
    pthread_mutex_lock(&lock);
    int result = control(fd, code, argument);
    pthread_mutex_unlock(&lock);
    return fail(result);
}

static void *map(void *at, size_t bytes, int protection, int flags, int fd, uint64_t offset) {
    struct request request = {.kind = MAP, .first = offset, .second = bytes};
    struct reply reply;
    int memory = -1;
    pthread_mutex_lock(&lock);
    int result = ask(fd, &request, 0, -1, &reply, &memory);
    void *place = MAP_FAILED;
    if (result >= 0 && memory >= 0) {
        place = NEXT(mmap)(at, bytes, protection, (flags & ~MAP_PRIVATE) | MAP_SHARED, memory, 0);
        struct mapping *entry = place == MAP_FAILED ? NULL : malloc(sizeof *entry);
        if (entry) { *entry = (struct mapping){place, bytes, fd, reply.token, mappings}; mappings = entry; }
    }
    if (memory >= 0) close(memory);
    pthread_mutex_unlock(&lock);
    if (result < 0) errno = -result;
    return place;
}
void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
    return is_ours(fd) ? map(at, bytes, protection, flags, fd, (uint64_t)offset) : NEXT(mmap)(at, bytes, protection, flags, fd, offset);
}
void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off64_t offset) {
    return is_ours(fd) ? map(at, bytes, protection, flags, fd, (uint64_t)offset) : NEXT(mmap64)(at, bytes, protection, flags, fd, offset);
}

int munmap(void *at, size_t bytes) {
    pthread_mutex_lock(&lock);
    for (struct mapping **link = &mappings; *link; link = &(*link)->next) {
        struct mapping *entry = *link;
        if (entry->at != at) continue;
        *link = entry->next;
        if (is_ours(entry->fd)) { /* else the device was closed first, and the host counted the mapping then */
            struct request request = {.kind = UNMAP, .first = entry->token, .second = bytes};
            struct reply reply;
            ask(entry->fd, &request, 0, -1, &reply, NULL);
        }
        free(entry);
        break;
    }
    pthread_mutex_unlock(&lock);
    return NEXT(munmap)(at, bytes);
}
