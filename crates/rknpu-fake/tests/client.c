/* A client of the rknpu driver for the tests: makes a task list and data, runs one task, reads the result, gives all back.
 * Usage: client NODE [keep|heap]. Prints each step that fails with its errno; exit status 0 if none did. With `keep` it exits without
 * giving anything back; with `heap` memory comes from a dma-heap, as the driver's other build has it. Retries what a signal interrupted. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

struct create { uint32_t handle, flags; uint64_t size, object, address, sram; int32_t domain; uint32_t mask; };
struct map_offset { uint32_t handle, reserved; uint64_t offset; };
struct destroy { uint32_t handle, reserved; uint64_t object; };
struct sync { uint32_t flags, reserved; uint64_t object, offset, size; };
struct submit {
    uint32_t flags, timeout, start, number, counter; int32_t priority; uint64_t object; uint32_t domain, reserved; uint64_t base;
    int64_t elapsed; uint32_t mask; int32_t fence; uint32_t cores[10];
};
struct version { int numbers[3]; size_t name_bytes; char *name; size_t date_bytes; char *date; size_t text_bytes; char *text; };
struct action { uint32_t selector, value; };
struct prime { uint32_t handle, flags; int32_t fd; };

struct heap { uint64_t bytes; uint32_t fd, fd_flags; uint64_t flags; };

static int fd, failures, heap = -1;
static int call(const char *what, unsigned long code, void *argument) {
    int result;
    do {
        result = ioctl(fd, code, argument);
        if (result < 0 && errno == EINTR) printf("%s interrupted\n", what);
    } while (result < 0 && errno == EINTR);
    if (result < 0) { printf("%s failed %d\n", what, errno); failures++; }
    return result;
}
#define CODE(n, type) (heap < 0 ? _IOWR('d', 0x40 + (n), type) : _IOWR('r', n, type))

struct buffer { struct create made; unsigned char *bytes; };
static int make(struct buffer *buffer, uint64_t size, uint32_t flags) {
    buffer->made = (struct create){.size = size, .flags = flags};
    if (heap >= 0) {
        struct heap piece = {.bytes = size, .fd_flags = O_RDWR};
        if (ioctl(heap, _IOWR('H', 0, struct heap), &piece)) { printf("heap failed %d\n", errno); failures++; return -1; }
        buffer->made.handle = piece.fd;
        buffer->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, (int)piece.fd, 0);
        return call("create", CODE(2, struct create), &buffer->made);
    }
    if (call("create", CODE(2, struct create), &buffer->made)) return -1;
    struct map_offset offset = {.handle = buffer->made.handle};
    if (call("offset", CODE(3, struct map_offset), &offset)) return -1;
    buffer->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
    if (buffer->bytes == MAP_FAILED) { printf("mmap failed %d\n", errno); failures++; return -1; }
    return 0;
}
static void release(struct buffer *buffer) {
    if (!buffer->bytes) return;
    if (buffer->bytes != MAP_FAILED) munmap(buffer->bytes, buffer->made.size);
    struct destroy gone = {.handle = buffer->made.handle, .object = buffer->made.object};
    call("destroy", CODE(4, struct destroy), &gone);
    if (heap >= 0) close((int)buffer->made.handle);
}
static uint64_t write_register(uint16_t target, uint32_t value, uint16_t offset) {
    return (uint64_t)target << 48 | (uint64_t)value << 16 | offset;
}

int main(int argc, char **argv) {
    int keep = argc > 2 && !strcmp(argv[2], "keep");
    fd = open(argv[1], O_RDWR);
    if (fd < 0) { printf("open failed %d\n", errno); return 1; }
    if (argc > 2 && !strcmp(argv[2], "heap")) heap = open("/dev/dma_heap/system", O_RDWR);
    char name[32] = {0};
    struct version version = {.name_bytes = sizeof name, .name = name};
    if (heap < 0 && !call("version", _IOWR('d', 0, struct version), &version)) printf("version %s %d.%d.%d\n", name, version.numbers[0], version.numbers[1], version.numbers[2]);
    struct action action = {.selector = 1};
    if (!call("action", CODE(0, struct action), &action)) printf("driver %u\n", action.value);

    struct buffer list = {0}, data = {0};
    if (!make(&list, 40, 0x40b) && !make(&data, 5000, 0x403)) {
        printf("addresses %llx %llx\n", (unsigned long long)list.made.address, (unsigned long long)data.made.address);
        uint32_t *record = (uint32_t *)list.bytes;
        record[2] = 0x18; record[3] = 0x300; record[6] = 1; record[8] = (uint32_t)data.made.address;
        /* The program lies in a buffer of its own, so that `data` could be filled; here it shares it and stays as it is. */
        uint64_t program[5] = {write_register(0x1001, (uint32_t)data.made.address, 0x4020), 0, write_register(0x0101, 0, 0x14),
                               0x0041000000000000ull, write_register(0x0081, 0x18, 8)};
        memcpy(data.bytes, program, sizeof program);
        struct sync flush = {.flags = 1, .object = data.made.object, .size = 5000};
        call("sync", CODE(5, struct sync), &flush);
        struct submit job = {.flags = 5, .timeout = 6000, .number = 3, .object = list.made.object, .fence = -1, .cores = {0, 1, 0, 1, 0, 1}};
        if (!call("submit", CODE(1, struct submit), &job)) printf("done %u\n", job.counter);
        struct prime prime = {.handle = data.made.handle};
        if (heap < 0 && !call("export", _IOWR('d', 0x2d, struct prime), &prime)) {
            unsigned char *other = mmap(NULL, 4096, PROT_READ, MAP_SHARED, prime.fd, 0);
            printf("export %s\n", other != MAP_FAILED && !memcmp(other, data.bytes, 4096) ? "shares" : "differs");
            munmap(other, 4096);
            struct prime back = {.fd = prime.fd};
            if (!call("import", _IOWR('d', 0x2e, struct prime), &back)) printf("import %s\n", back.handle == prime.handle ? "same" : "other");
            close(prime.fd);
        }
    }
    if (keep) return failures != 0;
    struct { uint32_t number; } odd = {0};
    if (ioctl(fd, _IOWR('d', 0x7f, odd), &odd) == 0 || errno != (heap < 0 ? EINVAL : ENOTTY)) { printf("an unknown request went through\n"); failures++; }
    release(&data);
    release(&list);
    if (heap >= 0) close(heap);
    close(fd);
    return failures != 0;
}
