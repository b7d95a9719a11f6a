/*
 * prospector for C programs: one pilot mines, trades and survives in an asteroid belt.
 *
 * Every world lives behind a handle; there is no global state. A handle may be used by one thread at a time, different
 * handles by different threads at once. Same configuration, seed and actions give the same results, bit for bit, on
 * every machine and for every number of threads.
 *
 * Calls that can fail return an abp_status, ABP_OK being 0. No pointer may be NULL unless its comment allows it.
 * Worlds, layouts, rewards and metrics are those of the interface version "prospector-v1".
 */
#ifndef DIORAMA_PROSPECTOR_H
#define DIORAMA_PROSPECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. Compare it with abp_core_abi_version() before anything else. */
#define ABP_ABI_VERSION 1

#define ABP_OBS_DIM 260
#define ABP_N_ACTIONS 69
#define ABP_N_METRICS 13
#define ABP_N_EVENTS 25

/* What a call answers: one of the following. */
typedef int32_t abp_status;

enum {
    ABP_OK = 0,
    ABP_NULL_POINTER = 1,            /* a pointer that must not be NULL is NULL */
    ABP_BAD_TIME_MAX = 2,            /* time_max is not a finite number above 0 */
    ABP_BAD_INVALID_ACTION_PEN = 3,  /* invalid_action_pen is not a finite number of 0 or more */
    ABP_BAD_REWARD_PROFILE = 4,      /* reward_profile is none of ABP_REWARD_* */
    ABP_BAD_SWITCH = 5,              /* a switch of the configuration is neither 0 nor 1 */
    ABP_BAD_COUNT = 6,               /* a number of copies, handles or threads is out of range */
    ABP_EPISODE_OVER = 7,            /* the episode has ended; reset before the next step */
    ABP_NOT_RESET = 8,               /* the batch has never been reset */
    ABP_BUFFER_TOO_SMALL = 9,        /* the buffer does not hold the whole snapshot */
    ABP_BAD_SNAPSHOT = 10,           /* no intact snapshot of this world and version */
    ABP_OTHER_CONFIG = 11,           /* the snapshot was made under another configuration */
    ABP_INTERNAL = 12                /* the library broke one of its own rules; reset or destroy the handle */
};

/* One line for people, in static memory; never NULL, whatever the number. */
const char *abp_status_text(abp_status status);

enum {
    ABP_REWARD_V1 = 1,  /* the frozen profile of prospector-v1 */
    ABP_REWARD_V2 = 2   /* profit-aligned, for training */
};

/* The switches are 0 or 1. One that is off suppresses an effect but none of the random draws before it. */
typedef struct abp_config {
    double time_max;            /* ticks after which an episode is cut off, above 0 */
    double invalid_action_pen;  /* reward lost by an invalid action, 0 or more */
    uint32_t reward_profile;    /* ABP_REWARD_* */
    uint8_t pirates;            /* pirates attack */
    uint8_t hazards;            /* nodes and edges wear the ship */
    uint8_t fractures;          /* asteroids shatter under the drill */
    uint8_t price_impact;       /* selling lowers prices */
    uint8_t market_noise;       /* prices jitter */
    uint8_t scan_noise;         /* scans err */
} abp_config;

/* Writes the default configuration; begin with it and change what you need. */
abp_status abp_config_default(abp_config *config_out);

/* Says what is wrong with a configuration: ABP_OK, or the status of the first wrong setting. */
abp_status abp_config_check(const abp_config *config);

/* One world. */
typedef struct abp_core abp_core;

/* Bits of `flags`, in results and in traces. */
enum {
    ABP_FLAG_TERMINATED = 1,     /* the episode ended by the rules */
    ABP_FLAG_TRUNCATED = 2,      /* the episode was cut off by the time limit */
    ABP_FLAG_INVALID_ACTION = 4  /* the received action was invalid and a hold took its place */
};

/* What came of a step. It has no padding: equal results are equal byte for byte. */
typedef struct abp_step_result {
    double reward;                  /* under the configured profile */
    uint64_t rng_draws;             /* random numbers consumed since the reset */
    double metrics[ABP_N_METRICS];  /* ABP_METRIC_* */
    float obs[ABP_OBS_DIM];         /* the observation the step led to; the last one of the episode if it ended */
    uint32_t event_bits;            /* ABP_EVENT_* */
    int32_t action_received;        /* the action that was sent */
    uint16_t dt;                    /* ticks the step took */
    uint8_t action;                 /* the action that was executed */
    uint8_t flags;                  /* ABP_FLAG_* */
    uint8_t reserved[4];            /* always 0 */
} abp_step_result;

/* Version of the library. */
uint32_t abp_core_abi_version(void);

/* Makes a world and opens the episode of `seed`, ready to be stepped. Returns NULL if abp_config_check(config) is not
 * ABP_OK. The handle is yours until abp_core_destroy. */
abp_core *abp_core_create(const abp_config *config, uint64_t seed);

/* Frees a world. `core` may be NULL. */
void abp_core_destroy(abp_core *core);

/* Makes an existing handle what abp_core_create(config, seed) would return. On an error nothing changes. */
abp_status abp_core_init(abp_core *core, const abp_config *config, uint64_t seed);

/* Opens the episode of `seed` and writes its first observation, ABP_OBS_DIM numbers. */
abp_status abp_core_reset(abp_core *core, uint64_t seed, float *obs_out);

/* Advances by one decision; any integer may be sent. After the end of the episode it returns ABP_EPISODE_OVER and
 * changes nothing, `result_out` included. */
abp_status abp_core_step(abp_core *core, int32_t action, abp_step_result *result_out);

/* Resets `count` worlds, core i with seed i, and writes their first observations one after another, count x
 * ABP_OBS_DIM numbers. If a handle is NULL no world changes. */
abp_status abp_core_reset_many(abp_core *const *cores, const uint64_t *seeds, size_t count, float *obs_out);

/* Steps `count` worlds in order, core i with action i into result i. If a handle is NULL or an episode over, no world
 * changes. Name each handle once. */
abp_status abp_core_step_many(abp_core *const *cores, const int32_t *actions, size_t count,
                              abp_step_result *results_out);

/* Writes the observation for the next decision, ABP_OBS_DIM numbers. */
abp_status abp_core_observe(const abp_core *core, float *obs_out);

/* Writes 1 for every action that is valid now and 0 for the others, ABP_N_ACTIONS bytes. */
abp_status abp_core_mask(const abp_core *core, uint8_t *mask_out);

/* Writes the complete state into `buffer` and its size in bytes to `size_out`. With a NULL `buffer` it writes the size
 * alone; with one of less capacity it writes the size and returns ABP_BUFFER_TOO_SMALL. Python's `Batch.restore` takes
 * the same bytes. */
abp_status abp_core_snapshot(const abp_core *core, uint8_t *buffer, size_t capacity, size_t *size_out);

/* Continues from a snapshot of the same configuration, taken here or by Python's `Batch.snapshot`. On an error nothing
 * changes. */
abp_status abp_core_restore(abp_core *core, const uint8_t *data, size_t size);

/* Writes the hash of the state; equal states have equal hashes on every machine and in every tier. */
abp_status abp_core_state_hash(const abp_core *core, uint64_t *hash_out);

/* Many worlds of one configuration that one call steps. */
typedef struct abp_vec abp_vec;

#define ABP_MAX_COPIES 1048576
#define ABP_MAX_THREADS 1024

/* Where a batch writes: arrays of yours, one entry or row per copy, which do not overlap. Allocate them once, zeroed;
 * every reset and step writes into those it is given, so that you can hand over others each time. */
typedef struct abp_vec_buffers {
    float *obs;             /* copies x ABP_OBS_DIM, for the next decision */
    float *rewards;         /* copies, of the step just taken, like the following */
    uint8_t *terminals;     /* copies, 1 where the episode ended by the rules */
    uint8_t *truncations;   /* copies, 1 where the episode was cut off by the time limit */
    uint8_t *action_masks;  /* copies x ABP_N_ACTIONS, for the next decision */
    uint16_t *dt;           /* copies, ticks the step took */
    float *metrics;         /* copies x ABP_N_METRICS; the final ones where the episode ended */
    uint32_t *event_bits;   /* copies, ABP_EVENT_* */
    float *final_obs;       /* copies x ABP_OBS_DIM, written only where the episode ended in this step */
} abp_vec_buffers;

/* Makes `copies` worlds (1 to ABP_MAX_COPIES) that `threads` threads step together (1 to ABP_MAX_THREADS); results do
 * not depend on the threads. `seed` is the base of every copy's own sequence of episode seeds. Returns NULL if a number
 * is out of range, the threads cannot be started, or abp_config_check(config) is not ABP_OK. */
abp_vec *abp_vec_create(const abp_config *config, size_t copies, uint64_t seed, size_t threads);

/* Frees a batch and ends its threads. `vec` may be NULL. */
void abp_vec_destroy(abp_vec *vec);

/* Opens an episode in every copy: of seeds[i], which then is the base of the copy's sequence, or, with NULL for
 * `seeds`, of the next seed in it. */
abp_status abp_vec_reset(abp_vec *vec, const uint64_t *seeds, const abp_vec_buffers *buffers);

/* Advances copy i by actions[i]. A copy that ends is reset in the same call with the next seed of its sequence: `obs`
 * and `action_masks` then open the new episode, `final_obs` keeps the last observation of the old one. */
abp_status abp_vec_step(abp_vec *vec, const int32_t *actions, const abp_vec_buffers *buffers);

/* `core_test_runner --seed S --actions FILE --out FILE [--time-max T]` plays raw uint8 actions and writes a trace: one
 * packed, little-endian record of ABP_TRACE_RECORD_SIZE bytes per action. When an episode ends, the next one has the
 * seed S plus the number of episodes that have ended.
 *
 *   offset  0  t                uint32   decisions before this one, over all episodes
 *           4  action_received  int16
 *           6  action           uint8    the action that was executed
 *           7  flags            uint8    ABP_FLAG_*
 *           8  dt               uint16
 *          10  event_bits       uint32   ABP_EVENT_*
 *          14  rng_draws        uint64
 *          22  reward           float64
 *          30  obs              260 x float32
 *        1070  metrics          13 x float64
 */
#define ABP_TRACE_RECORD_SIZE 1174

/* Actions, by index. Any other integer may be sent too: it is invalid, like an action whose precondition fails. */
enum {
    ABP_ACTION_TRAVEL_NEIGHBOR_0 = 0,
    ABP_ACTION_TRAVEL_NEIGHBOR_1 = 1,
    ABP_ACTION_TRAVEL_NEIGHBOR_2 = 2,
    ABP_ACTION_TRAVEL_NEIGHBOR_3 = 3,
    ABP_ACTION_TRAVEL_NEIGHBOR_4 = 4,
    ABP_ACTION_TRAVEL_NEIGHBOR_5 = 5,
    ABP_ACTION_HOLD_DRIFT = 6,
    ABP_ACTION_EMERGENCY_BURN = 7,
    ABP_ACTION_WIDE_SCAN = 8,
    ABP_ACTION_FOCUSED_SCAN_SELECTED = 9,
    ABP_ACTION_DEEP_SCAN_SELECTED = 10,
    ABP_ACTION_PASSIVE_THREAT_LISTEN = 11,
    ABP_ACTION_SELECT_ASTEROID_0 = 12,
    ABP_ACTION_SELECT_ASTEROID_1 = 13,
    ABP_ACTION_SELECT_ASTEROID_2 = 14,
    ABP_ACTION_SELECT_ASTEROID_3 = 15,
    ABP_ACTION_SELECT_ASTEROID_4 = 16,
    ABP_ACTION_SELECT_ASTEROID_5 = 17,
    ABP_ACTION_SELECT_ASTEROID_6 = 18,
    ABP_ACTION_SELECT_ASTEROID_7 = 19,
    ABP_ACTION_SELECT_ASTEROID_8 = 20,
    ABP_ACTION_SELECT_ASTEROID_9 = 21,
    ABP_ACTION_SELECT_ASTEROID_10 = 22,
    ABP_ACTION_SELECT_ASTEROID_11 = 23,
    ABP_ACTION_SELECT_ASTEROID_12 = 24,
    ABP_ACTION_SELECT_ASTEROID_13 = 25,
    ABP_ACTION_SELECT_ASTEROID_14 = 26,
    ABP_ACTION_SELECT_ASTEROID_15 = 27,
    ABP_ACTION_MINE_CONSERVATIVE_SELECTED = 28,
    ABP_ACTION_MINE_STANDARD_SELECTED = 29,
    ABP_ACTION_MINE_AGGRESSIVE_SELECTED = 30,
    ABP_ACTION_STABILIZE_SELECTED = 31,
    ABP_ACTION_REFINE_ONBOARD = 32,
    ABP_ACTION_ACTIVE_COOLDOWN = 33,
    ABP_ACTION_TOOL_MAINTENANCE = 34,
    ABP_ACTION_HULL_PATCH = 35,
    ABP_ACTION_JETTISON_COMMODITY_0 = 36,
    ABP_ACTION_JETTISON_COMMODITY_1 = 37,
    ABP_ACTION_JETTISON_COMMODITY_2 = 38,
    ABP_ACTION_JETTISON_COMMODITY_3 = 39,
    ABP_ACTION_JETTISON_COMMODITY_4 = 40,
    ABP_ACTION_JETTISON_COMMODITY_5 = 41,
    ABP_ACTION_DOCK = 42,
    ABP_ACTION_SELL_COMMODITY_0_25PCT = 43,
    ABP_ACTION_SELL_COMMODITY_0_50PCT = 44,
    ABP_ACTION_SELL_COMMODITY_0_100PCT = 45,
    ABP_ACTION_SELL_COMMODITY_1_25PCT = 46,
    ABP_ACTION_SELL_COMMODITY_1_50PCT = 47,
    ABP_ACTION_SELL_COMMODITY_1_100PCT = 48,
    ABP_ACTION_SELL_COMMODITY_2_25PCT = 49,
    ABP_ACTION_SELL_COMMODITY_2_50PCT = 50,
    ABP_ACTION_SELL_COMMODITY_2_100PCT = 51,
    ABP_ACTION_SELL_COMMODITY_3_25PCT = 52,
    ABP_ACTION_SELL_COMMODITY_3_50PCT = 53,
    ABP_ACTION_SELL_COMMODITY_3_100PCT = 54,
    ABP_ACTION_SELL_COMMODITY_4_25PCT = 55,
    ABP_ACTION_SELL_COMMODITY_4_50PCT = 56,
    ABP_ACTION_SELL_COMMODITY_4_100PCT = 57,
    ABP_ACTION_SELL_COMMODITY_5_25PCT = 58,
    ABP_ACTION_SELL_COMMODITY_5_50PCT = 59,
    ABP_ACTION_SELL_COMMODITY_5_100PCT = 60,
    ABP_ACTION_BUY_FUEL_SMALL = 61,
    ABP_ACTION_BUY_FUEL_MED = 62,
    ABP_ACTION_BUY_FUEL_LARGE = 63,
    ABP_ACTION_BUY_REPAIR_KIT = 64,
    ABP_ACTION_BUY_STABILIZER = 65,
    ABP_ACTION_BUY_DECOY = 66,
    ABP_ACTION_FULL_REPAIR_OVERHAUL = 67,
    ABP_ACTION_CASH_OUT_END_EPISODE = 68
};

/* Events, by bit of `event_bits`. */
enum {
    ABP_EVENT_INVALID_ACTION = 1 << 0,
    ABP_EVENT_TRAVEL = 1 << 1,
    ABP_EVENT_EMERGENCY_BURN = 1 << 2,
    ABP_EVENT_SCAN = 1 << 3,
    ABP_EVENT_THREAT_LISTEN = 1 << 4,
    ABP_EVENT_SELECT = 1 << 5,
    ABP_EVENT_MINE = 1 << 6,
    ABP_EVENT_FRACTURE = 1 << 7,
    ABP_EVENT_ASTEROID_DEPLETED = 1 << 8,
    ABP_EVENT_STABILIZE = 1 << 9,
    ABP_EVENT_REFINE = 1 << 10,
    ABP_EVENT_COOLDOWN = 1 << 11,
    ABP_EVENT_REPAIR = 1 << 12,
    ABP_EVENT_JETTISON = 1 << 13,
    ABP_EVENT_DOCK = 1 << 14,
    ABP_EVENT_SELL = 1 << 15,
    ABP_EVENT_BUY = 1 << 16,
    ABP_EVENT_OVERHAUL = 1 << 17,
    ABP_EVENT_PIRATE_ENCOUNTER = 1 << 18,
    ABP_EVENT_OVERHEAT_TICK = 1 << 19,
    ABP_EVENT_CASH_OUT = 1 << 20,
    ABP_EVENT_DESTROYED = 1 << 21,
    ABP_EVENT_STRANDED = 1 << 22,
    ABP_EVENT_TERMINATED = 1 << 23,
    ABP_EVENT_TRUNCATED = 1 << 24
};

/* Metrics, by index into `metrics`; all since the reset. */
enum {
    ABP_METRIC_CREDITS = 0,
    ABP_METRIC_NET_PROFIT = 1,
    ABP_METRIC_PROFIT_PER_TICK = 2,
    ABP_METRIC_SURVIVAL = 3,
    ABP_METRIC_OVERHEAT_TICKS = 4,
    ABP_METRIC_PIRATE_ENCOUNTERS = 5,
    ABP_METRIC_VALUE_LOST_TO_PIRATES = 6,
    ABP_METRIC_FUEL_USED = 7,
    ABP_METRIC_HULL_DAMAGE = 8,
    ABP_METRIC_TOOL_WEAR = 9,
    ABP_METRIC_SCAN_COUNT = 10,
    ABP_METRIC_MINING_TICKS = 11,
    ABP_METRIC_CARGO_UTILIZATION_AVG = 12
};

#ifdef __cplusplus
}
#endif

#endif
