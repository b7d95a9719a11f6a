/* Embeds the arena: fights a package that is given as a file, and prints its hash after some ticks. */
#include <diorama_tidebreak.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds)                                                       \
    do {                                                                   \
        if (!(holds)) {                                                    \
            char line[200] = "";                                           \
            tb_last_error(line, sizeof line);                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #holds, line); \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

static _Alignas(TB_ALIGNMENT) float obs[TB_OBS_WIDTH];

static void check_fields(void) {
    const double bounds[4] = {0.0, 0.0, 8000.0, 8000.0};
    const tb_mod smoke = {7, 1, 0.5, 0.0};
    tb_fieldspace *space = NULL;
    uint64_t before = 0, after = 0, *words = NULL;
    size_t count = 0;
    float values[TB_N_FIELDS], *grid = NULL;
    CHECK(tb_fieldspace_new(bounds, &space) == TB_OK);
    CHECK(tb_fieldspace_hash(space, &before) == TB_OK);
    CHECK(tb_fieldspace_stamp_circle(space, 1, 4000.0, 4000.0, 500.0, &smoke, 1, 0) == TB_OK);
    CHECK(tb_fieldspace_point(space, 0, 4000.0, 4000.0, 0, values) == TB_OK && values[7] > 0.0f);
    CHECK(tb_fieldspace_grid(space, 7, 0, 0, &grid, &count) == TB_OK && count == 128 * 128);
    tb_free(grid);
    CHECK(tb_fieldspace_snapshot(space, &words, &count) == TB_OK);
    CHECK(tb_fieldspace_stamp_box(space, 1, 0.0, 0.0, 900.0, 900.0, &smoke, 1) == TB_OK);
    CHECK(tb_fieldspace_propagate(space, 3.0, 0.0) == TB_OK);
    CHECK(tb_fieldspace_restore(space, words, count - 1) == TB_SNAPSHOT_MISMATCH);
    CHECK(tb_fieldspace_restore(space, words, count) == TB_OK);
    tb_free(words);
    CHECK(tb_fieldspace_stamp_circle(space, 8, 0.0, 0.0, 1.0, &smoke, 1, 0) == TB_BAD_VALUE);
    CHECK(tb_fieldspace_reset(space) == TB_OK);
    CHECK(tb_fieldspace_hash(space, &after) == TB_OK && after == before);
    tb_fieldspace_destroy(space);
}

static void check_battle(const uint8_t *package, size_t size) {
    const int64_t shape[2] = {1, TB_OBS_WIDTH};
    const tb_array array = {obs, shape, NULL, TB_F32, 2, 1, 0};
    const uint64_t seed = 7;
    tb_config config;
    tb_batch *batch = NULL;
    tb_event *events = NULL;
    uint8_t *data = NULL;
    uint64_t before = 0, after = 0;
    int32_t id = -1;
    size_t count = 0;
    CHECK(tb_config_default(&config) == TB_OK);
    config.collect_events = 1;
    CHECK(tb_batch_new(&config, &batch) == TB_OK);
    CHECK(tb_batch_add_template(batch, (const uint8_t *)"{}", 2, &id) == TB_BAD_PACKAGE);
    CHECK(tb_batch_add_template(batch, package, size, &id) == TB_OK && id == 0);
    CHECK(tb_batch_assign(batch, 0, id) == TB_OK && tb_batch_assign(batch, 1, id) == TB_BAD_INDEX);
    CHECK(tb_batch_register(batch, TB_BUFFER_OBS, &array) == TB_OK);
    CHECK(tb_batch_step(batch, 1) == TB_NOT_READY);
    CHECK(tb_batch_reset(batch, NULL, &seed) == TB_OK);
    CHECK(tb_batch_snapshot(batch, 0, &data, &count) == TB_OK);
    CHECK(tb_batch_hash(batch, 0, &before) == TB_OK);
    CHECK(tb_batch_step(batch, 30) == TB_OK);
    CHECK(tb_batch_restore(batch, 0, data, count) == TB_OK);
    tb_free(data);
    CHECK(tb_batch_hash(batch, 0, &after) == TB_OK && after == before);
    CHECK(tb_batch_step(batch, 1) == TB_OK);
    CHECK(tb_batch_events(batch, 0, &events, &count) == TB_OK);
    tb_free(events);
    CHECK(tb_batch_result(batch, 0, &data, &count) == TB_NOT_OVER);
    tb_batch_destroy(batch);
    CHECK(tb_simulate(package, size, NULL, 0, &data, &count) == TB_OK && data[0] == '{');
    tb_free(data);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && tb_abi_version() == TB_ABI_VERSION);
    FILE *file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    uint8_t *package = malloc(1 << 22);
    size_t size = fread(package, 1, 1 << 22, file);
    fclose(file);
    check_fields();
    check_battle(package, size);
    free(package);
    return 0;
}
