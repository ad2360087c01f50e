/* Prints what the vendor's runtime answers about a model's inputs and outputs, one line each:
 *   input|output|native-input|native-output INDEX NAME type=N format=N size=N scale=X zero_point=N dims=A,B,...
 * Usage: query MODEL. Link against librknnrt; runs without an NPU under qemu-user when /dev/dri answers are faked.
 * The declarations state the public ABI in our own words. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct counts { uint32_t inputs, outputs; };
struct attributes {
    uint32_t index, n_dims, dims[16];
    char name[256];
    uint32_t n_elems, size, format, type, quantization;
    int8_t fraction_length;
    int32_t zero_point;
    float scale;
    uint32_t w_stride, size_with_stride;
    uint8_t pass_through;
    uint32_t h_stride;
};
int rknn_init(uint64_t *, void *, uint32_t, uint32_t, void *);
int rknn_query(uint64_t, int, void *, uint32_t);
int rknn_destroy(uint64_t);

static void list(uint64_t context, const char *what, int command, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct attributes a = {.index = i};
        int code = rknn_query(context, command, &a, sizeof a);
        if (code) { printf("%s %u error %d\n", what, i, code); continue; }
        printf("%s %u %s type=%u format=%u size=%u scale=%.9g zero_point=%d dims=", what, i, a.name, a.type, a.format, a.size,
               a.scale, a.zero_point);
        for (uint32_t d = 0; d < a.n_dims && d < 16; d++) printf(d ? ",%u" : "%u", a.dims[d]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    void *model = malloc(size);
    uint64_t context = 0;
    struct counts n = {0};
    if (fread(model, 1, size, file) != (size_t)size || rknn_init(&context, model, size, 0, NULL)) return 1;
    if (rknn_query(context, 0, &n, sizeof n)) return 1;
    list(context, "input", 1, n.inputs);
    list(context, "output", 2, n.outputs);
    list(context, "native-input", 8, n.inputs);
    list(context, "native-output", 9, n.outputs);
    rknn_destroy(context);
    return 0;
}
