/* Runs one model through a vendor runtime and writes down every answer.
 *
 * Usage: client RUNTIME JOB. The job is a text file, one word and its values a line:
 *   model PATH | out FOLDER | mask N | input INDEX TYPE FORMAT PASS_THROUGH PATH
 * FOLDER/answers.jsonl gets one line per call, FOLDER/output<N>.float and output<N>.raw what came out. Only with inputs is the
 * model run. Exit status 0 means that every call succeeded.
 *
 * The declarations state the runtime's public binary interface in our own words; the runtime is loaded by name, so nothing of
 * it is needed to build this. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t context;
struct counts { uint32_t inputs, outputs; };
struct attributes {
    uint32_t index, rank, shape[16];
    char name[256];
    uint32_t elements, bytes, format, type, quantization;
    int8_t fraction;
    int32_t zero_point;
    float scale;
    uint32_t width_stride, stride_bytes;
    uint8_t pass_through;
    uint32_t height_stride;
};
_Static_assert(sizeof(struct attributes) == 376, "the interface has 376 bytes");
struct versions { char api[256], driver[256]; };
struct memory { uint32_t weights, internal; uint64_t total; uint32_t sram, sram_free, reserved[10]; };
struct input { uint32_t index; void *data; uint32_t bytes; uint8_t pass_through; uint32_t type, format; };
struct output { uint8_t want_float, is_given; uint32_t index; void *data; uint32_t bytes; };
enum { COUNTS = 0, INPUT = 1, OUTPUT = 2, VERSIONS = 5, MEMORY = 6, NATIVE_INPUT = 8, NATIVE_OUTPUT = 9, NATIVE_INPUT_NHWC = 10, NATIVE_OUTPUT_NHWC = 11 };

static int (*init)(context *, void *, uint32_t, uint32_t, void *);
static int (*query)(context, int, void *, uint32_t);
static int (*set_core_mask)(context, int);
static int (*inputs_set)(context, uint32_t, struct input *);
static int (*run)(context, void *);
static int (*outputs_get)(context, uint32_t, struct output *, void *);
static int (*outputs_release)(context, uint32_t, struct output *);
static int (*destroy)(context);

static FILE *answers;
static int failures;

static int note(const char *call, int result) {
    fprintf(answers, "{\"call\":\"%s\",\"result\":%d}\n", call, result);
    fflush(answers);
    failures += result != 0;
    return result;
}
static void text(const char *name, const char *value, size_t limit) {
    fprintf(answers, ",\"%s\":\"", name);
    for (size_t k = 0; k < limit && value[k]; k++) {
        unsigned char c = (unsigned char)value[k];
        if (c == '"' || c == '\\') fprintf(answers, "\\%c", c);
        else if (c < 32) fprintf(answers, "\\u%04x", c);
        else fputc(c, answers);
    }
    fputc('"', answers);
}
static void describe(context model, const char *what, int command, uint32_t index) {
    struct attributes a;
    memset(&a, 0, sizeof a);
    a.index = index;
    int result = query(model, command, &a, sizeof a);
    uint32_t scale;
    memcpy(&scale, &a.scale, 4);
    fprintf(answers, "{\"call\":\"query\",\"what\":\"%s\",\"index\":%u,\"result\":%d", what, index, result);
    if (!result) {
        text("name", a.name, sizeof a.name);
        fprintf(answers, ",\"shape\":[");
        for (uint32_t k = 0; k < a.rank && k < 16; k++) fprintf(answers, "%s%u", k ? "," : "", a.shape[k]);
        fprintf(answers, "],\"elements\":%u,\"bytes\":%u,\"format\":%u,\"type\":%u,\"quantization\":%u,\"fraction\":%d,\"zero_point\":%d,\"scale_bits\":%u,\"width_stride\":%u,\"stride_bytes\":%u,\"pass_through\":%u,\"height_stride\":%u",
                a.elements, a.bytes, a.format, a.type, a.quantization, a.fraction, a.zero_point, scale, a.width_stride, a.stride_bytes, a.pass_through, a.height_stride);
    }
    fprintf(answers, "}\n");
}
static void describe_all(context model, struct counts *n) {
    memset(n, 0, sizeof *n);
    int result = query(model, COUNTS, n, sizeof *n);
    fprintf(answers, "{\"call\":\"query\",\"what\":\"counts\",\"result\":%d,\"inputs\":%u,\"outputs\":%u}\n", result, n->inputs, n->outputs);
    failures += result != 0;
    struct versions v;
    memset(&v, 0, sizeof v);
    result = query(model, VERSIONS, &v, sizeof v);
    fprintf(answers, "{\"call\":\"query\",\"what\":\"versions\",\"result\":%d", result);
    text("api", v.api, sizeof v.api);
    text("driver", v.driver, sizeof v.driver);
    fprintf(answers, "}\n");
    struct memory m;
    memset(&m, 0, sizeof m);
    result = query(model, MEMORY, &m, sizeof m);
    fprintf(answers, "{\"call\":\"query\",\"what\":\"memory\",\"result\":%d,\"weights\":%u,\"internal\":%u,\"total\":%llu}\n", result, m.weights, m.internal, (unsigned long long)m.total);
    for (uint32_t k = 0; k < n->inputs && k < 64; k++) {
        describe(model, "input", INPUT, k);
        describe(model, "native_input", NATIVE_INPUT, k);
        describe(model, "native_input_nhwc", NATIVE_INPUT_NHWC, k);
    }
    for (uint32_t k = 0; k < n->outputs && k < 64; k++) {
        describe(model, "output", OUTPUT, k);
        describe(model, "native_output", NATIVE_OUTPUT, k);
        describe(model, "native_output_nhwc", NATIVE_OUTPUT_NHWC, k);
    }
    fflush(answers);
}
static void *whole_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    void *data = malloc(length > 0 ? (size_t)length : 1);
    *bytes = data ? fread(data, 1, (size_t)length, file) : 0;
    fclose(file);
    return data;
}
static void outputs(context model, uint32_t count, int want_float, const char *folder) {
    struct output list[64];
    memset(list, 0, sizeof list);
    for (uint32_t k = 0; k < count; k++) { list[k].index = k; list[k].want_float = (uint8_t)want_float; }
    if (note(want_float ? "outputs_get_float" : "outputs_get_raw", outputs_get(model, count, list, NULL))) return;
    for (uint32_t k = 0; k < count; k++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/output%u.%s", folder, k, want_float ? "float" : "raw");
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(list[k].data, 1, list[k].bytes, file) != list[k].bytes) failures++;
        if (file) fclose(file);
    }
    outputs_release(model, count, list);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
#define FIND(name) if (!(*(void **)&name = dlsym(library, "rknn_" #name))) { fprintf(stderr, "the runtime has no rknn_" #name "\n"); return 2; }
    FIND(init) FIND(query) FIND(set_core_mask) FIND(inputs_set) FIND(run) FIND(outputs_get) FIND(outputs_release) FIND(destroy)
    char line[8192], model_path[4096] = "", folder[4096] = "", path[4096];
    int mask = -1;
    struct input inputs[64];
    unsigned given = 0;
    memset(inputs, 0, sizeof inputs);
    FILE *job = fopen(argv[2], "r");
    if (!job) { perror(argv[2]); return 2; }
    while (fgets(line, sizeof line, job)) {
        unsigned index, type, format, pass;
        if (sscanf(line, "model %4095[^\n]", model_path) == 1 || sscanf(line, "out %4095[^\n]", folder) == 1 || sscanf(line, "mask %d", &mask) == 1) continue;
        if (given < 64 && sscanf(line, "input %u %u %u %u %4095[^\n]", &index, &type, &format, &pass, path) == 5) {
            size_t bytes = 0;
            void *data = whole_file(path, &bytes);
            inputs[given++] = (struct input){index, data, (uint32_t)bytes, (uint8_t)pass, type, format};
        }
    }
    fclose(job);
    snprintf(path, sizeof path, "%.4000s/answers.jsonl", folder);
    answers = fopen(path, "w");
    if (!answers) { perror(path); return 2; }
    size_t bytes = 0;
    void *data = whole_file(model_path, &bytes);
    if (!data) { perror(model_path); return 2; }
    context model = 0;
    if (note("init", init(&model, data, (uint32_t)bytes, 0, NULL))) return 1;
    if (mask >= 0) note("set_core_mask", set_core_mask(model, mask));
    struct counts n;
    describe_all(model, &n);
    if (given && !failures && !note("inputs_set", inputs_set(model, given, inputs)) && !note("run", run(model, NULL))) {
        uint32_t count = n.outputs < 64 ? n.outputs : 64;
        outputs(model, count, 1, folder);
        outputs(model, count, 0, folder);
    }
    note("destroy", destroy(model));
    return failures != 0;
}
