/* Embeds the library: checks what every call answers, then plays a file of actions and writes its trace to stdout. */
#include <diorama_prospector.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPIES 40
#define CHECK(holds)                                                       \
    do {                                                                   \
        if (!(holds)) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds);    \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

static float openings[2 * ABP_OBS_DIM];

static void check_configuration(void) {
    abp_config config;
    CHECK(abp_core_abi_version() == ABP_ABI_VERSION);
    CHECK(abp_config_default(&config) == ABP_OK);
    CHECK(config.time_max == 20000.0 && config.reward_profile == ABP_REWARD_V1 && config.scan_noise == 1);
    CHECK(abp_config_check(&config) == ABP_OK);
    config.time_max = 0.0;
    CHECK(abp_config_check(&config) == ABP_BAD_TIME_MAX);
    CHECK(abp_core_create(&config, 1) == NULL);
    CHECK(strstr(abp_status_text(ABP_BAD_TIME_MAX), "time_max") != NULL);
}

static void check_many(const abp_config *config) {
    abp_core *cores[2] = {abp_core_create(config, 0), abp_core_create(config, 0)};
    const uint64_t seeds[2] = {7, 8};
    const int32_t actions[2] = {ABP_ACTION_HOLD_DRIFT, ABP_ACTION_CASH_OUT_END_EPISODE};
    abp_step_result results[2];
    float obs[ABP_OBS_DIM];
    CHECK(abp_core_reset_many(cores, seeds, 2, openings) == ABP_OK);
    CHECK(abp_core_observe(cores[1], obs) == ABP_OK);
    CHECK(memcmp(obs, openings + ABP_OBS_DIM, sizeof obs) == 0);
    CHECK(abp_core_step_many(cores, actions, 2, results) == ABP_OK);
    CHECK(results[0].flags == 0 && results[1].flags == ABP_FLAG_TERMINATED);
    CHECK(abp_core_step_many(cores, actions, 2, results) == ABP_EPISODE_OVER);
    CHECK(abp_core_init(cores[1], config, 8) == ABP_OK);
    CHECK(abp_core_step(cores[1], actions[1], &results[0]) == ABP_OK);
    CHECK(memcmp(&results[0], &results[1], sizeof results[0]) == 0);
    abp_core_destroy(cores[0]);
    abp_core_destroy(cores[1]);
}

static void check_snapshot(abp_core *core) {
    size_t size = 0;
    uint64_t before = 0, after = 0;
    uint8_t mask[ABP_N_ACTIONS];
    abp_step_result result;
    CHECK(abp_core_snapshot(core, NULL, 0, &size) == ABP_OK);
    uint8_t *data = malloc(size);
    CHECK(abp_core_snapshot(core, data, size, &size) == ABP_OK);
    CHECK(abp_core_state_hash(core, &before) == ABP_OK);
    CHECK(abp_core_mask(core, mask) == ABP_OK && mask[ABP_ACTION_HOLD_DRIFT] == 1);
    CHECK(abp_core_step(core, ABP_ACTION_HOLD_DRIFT, &result) == ABP_OK);
    CHECK(abp_core_restore(core, data, size) == ABP_OK);
    CHECK(abp_core_state_hash(core, &after) == ABP_OK && before == after);
    free(data);
}

static void check_batch(const abp_config *config) {
    int32_t actions[COPIES];
    abp_vec_buffers buffers = {
        .obs = calloc(COPIES * ABP_OBS_DIM, sizeof(float)),
        .rewards = calloc(COPIES, sizeof(float)),
        .terminals = calloc(COPIES, 1),
        .truncations = calloc(COPIES, 1),
        .action_masks = calloc(COPIES * ABP_N_ACTIONS, 1),
        .dt = calloc(COPIES, sizeof(uint16_t)),
        .metrics = calloc(COPIES * ABP_N_METRICS, sizeof(float)),
        .event_bits = calloc(COPIES, sizeof(uint32_t)),
        .final_obs = calloc(COPIES * ABP_OBS_DIM, sizeof(float)),
    };
    abp_vec *vec = abp_vec_create(config, COPIES, 3, 2);
    for (int i = 0; i < COPIES; i++) actions[i] = ABP_ACTION_CASH_OUT_END_EPISODE;
    CHECK(abp_vec_step(vec, actions, &buffers) == ABP_NOT_RESET);
    CHECK(abp_vec_reset(vec, NULL, &buffers) == ABP_OK);
    CHECK(abp_vec_step(vec, actions, &buffers) == ABP_OK);
    for (int i = 0; i < COPIES; i++) {
        CHECK(buffers.terminals[i] == 1 && buffers.truncations[i] == 0 && buffers.dt[i] == 1);
        CHECK(buffers.event_bits[i] == (ABP_EVENT_CASH_OUT | ABP_EVENT_TERMINATED));
        CHECK(buffers.metrics[i * ABP_N_METRICS + ABP_METRIC_SURVIVAL] == 1.0f);
    }
    abp_vec_destroy(vec);
    free(buffers.obs);
    free(buffers.rewards);
    free(buffers.terminals);
    free(buffers.truncations);
    free(buffers.action_masks);
    free(buffers.dt);
    free(buffers.metrics);
    free(buffers.event_bits);
    free(buffers.final_obs);
}

/* Fields are written as they lie in memory, which makes a trace on little-endian machines. */
static void print_record(uint32_t t, const abp_step_result *result) {
    const int16_t received = (int16_t)result->action_received;
    fwrite(&t, sizeof t, 1, stdout);
    fwrite(&received, sizeof received, 1, stdout);
    fwrite(&result->action, sizeof result->action, 1, stdout);
    fwrite(&result->flags, sizeof result->flags, 1, stdout);
    fwrite(&result->dt, sizeof result->dt, 1, stdout);
    fwrite(&result->event_bits, sizeof result->event_bits, 1, stdout);
    fwrite(&result->rng_draws, sizeof result->rng_draws, 1, stdout);
    fwrite(&result->reward, sizeof result->reward, 1, stdout);
    fwrite(result->obs, sizeof result->obs, 1, stdout);
    fwrite(result->metrics, sizeof result->metrics, 1, stdout);
}

static void play(abp_core *core, uint64_t seed, FILE *actions) {
    abp_step_result result;
    uint64_t episodes_ended = 0;
    int action;
    CHECK(abp_core_reset(core, seed, openings) == ABP_OK);
    for (uint32_t t = 0; (action = fgetc(actions)) != EOF; t++) {
        abp_status status = abp_core_step(core, action, &result);
        if (status == ABP_EPISODE_OVER) {
            CHECK(abp_core_reset(core, seed + ++episodes_ended, openings) == ABP_OK);
            status = abp_core_step(core, action, &result);
        }
        CHECK(status == ABP_OK);
        print_record(t, &result);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    abp_config config;
    FILE *actions = fopen(argv[2], "rb");
    CHECK(actions != NULL);
    check_configuration();
    CHECK(abp_config_default(&config) == ABP_OK);
    config.time_max = 500.0;
    abp_core *core = abp_core_create(&config, 0);
    CHECK(core != NULL);
    check_many(&config);
    check_snapshot(core);
    check_batch(&config);
    play(core, strtoull(argv[1], NULL, 10), actions);
    abp_core_destroy(core);
    fclose(actions);
    return 0;
}
