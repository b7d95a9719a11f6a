/*
 * tidebreak for C programs: naval battles in three layers of water, fought tick by tick.
 *
 * A batch lives behind a handle, which one thread at a time may use. Battles come as resolved packages (JSON bytes);
 * what a batch reads and writes are arrays of yours, which you register once and which must stay where they are. A kind
 * that you do not register costs nothing to ignore: actions that are not registered are no-ops. Same packages, seeds
 * and actions give the same results, bit for bit, on every machine and for every number of threads.
 *
 * Calls return a tb_code, TB_OK being 0; tb_last_error() has a line about the last one that failed in this thread. A
 * call that fails changes nothing unless its comment says otherwise. No pointer may be NULL unless its comment allows
 * it. Observations, actions, rewards and metrics are those of the interface version "tidebreak-v1".
 */
#ifndef DIORAMA_TIDEBREAK_H
#define DIORAMA_TIDEBREAK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. Compare it with tb_abi_version() before anything else. */
#define TB_ABI_VERSION 1

#define TB_HEADS 7               /* choices of a decision */
#define TB_N_OPTIONS 55          /* options of all heads */
#define TB_OBS_WIDTH 612         /* own state 0-47, contacts 48-431, environment 432-611 */
#define TB_COMPACT_OBS_WIDTH 404 /* with compact_observation */
#define TB_N_METRICS 11
#define TB_N_REWARD_COMPONENTS 12
#define TB_N_EVENT_KINDS 39
#define TB_N_FIELDS 11           /* fields of a field space */
#define TB_ALIGNMENT 64          /* what buffers begin at a multiple of */
#define TB_MAX_ENVS 65536
#define TB_MAX_THREADS 1024
#define TB_MAX_TEMPLATES 4096
#define TB_MAX_TICKS 1048576
#define TB_TRACE_RECORD_SIZE 32  /* int64 tick, uint64 state hash, uint64 event kinds, uint64 env_done */

/* What a call answers. Up to 30, and 900, these are the world's codes C001 to C900. */
typedef int32_t tb_code;

enum {
    TB_OK = 0,
    TB_BAD_PACKAGE = 1,         /* no resolved package */
    TB_BAD_ACTION = 2,          /* an option does not exist */
    TB_BAD_INDEX = 3,           /* no such environment or template */
    TB_BAD_DTYPE = 10,          /* a buffer has another type of number */
    TB_BAD_SHAPE = 11,          /* a buffer has another shape */
    TB_NOT_CONTIGUOUS = 12,     /* a buffer has gaps */
    TB_MISALIGNED = 13,         /* a buffer does not begin at a multiple of TB_ALIGNMENT */
    TB_READ_ONLY = 14,          /* a buffer that is written to is read-only */
    TB_SNAPSHOT_VERSION = 20,   /* a snapshot of another version */
    TB_SNAPSHOT_MISMATCH = 21,  /* a snapshot of another battle, or damaged */
    TB_CAPACITY = 30,           /* more than can be held */
    TB_NULL_POINTER = 101,      /* a pointer that must not be NULL is NULL */
    TB_BAD_CONFIG = 102,        /* the configuration makes no sense */
    TB_NOT_READY = 103,         /* a template must be added, or the environment reset, first */
    TB_NOT_OVER = 104,          /* no battle has ended since the reset */
    TB_OVERLAP = 105,           /* a buffer overlaps with another */
    TB_BAD_VALUE = 106,         /* a number is out of range */
    TB_POISONED = 900           /* a battle failed in a step; reset it */
};

/* Writes the line about the last call that failed in this thread, cut to the room and ended by a zero. */
tb_code tb_last_error(char *text_out, size_t capacity);

/* Frees what a call has handed out; NULL is allowed. */
void tb_free(void *data);

uint32_t tb_abi_version(void);

/* The switches are 0 or 1. */
typedef struct tb_config {
    uint64_t seed;                           /* base of the seed sequences until a seed is given */
    uint32_t envs;                           /* battles at once */
    uint32_t agents_per_env;                 /* seats of each; seats that nobody fills are never alive */
    uint32_t threads;
    uint8_t compact_observation;
    uint8_t plays_all;                       /* ships of every side take seats, not of one side alone */
    uint8_t credit_dead;                     /* units that are out wait for the end and share the outcome */
    uint8_t collect_events;                  /* keep events until tb_batch_events asks for them */
    double weights[TB_N_REWARD_COMPONENTS];  /* of the parts of a reward */
    double team_share;                       /* of the team's mean in a reward, 0 to 1 */
    double shaping_discount;                 /* of potential-based shaping, 0 to 1; below 0 for none */
    const char *side;                        /* team of the seats; NULL for the first */
    const char *teammates;                   /* controller of ships beside the seats; NULL for "script:auto" */
    const char *opponents;                   /* controller of the other teams; NULL for "script:auto" */
} tb_config;

/* One environment with one seat, on one thread, with the weights of the preset "duel". */
tb_code tb_config_default(tb_config *config_out);

typedef struct tb_batch tb_batch;

tb_code tb_batch_new(const tb_config *config, tb_batch **batch_out);

/* NULL is allowed. */
void tb_batch_destroy(tb_batch *batch);

/* Adds a resolved package and writes its id, from 0 on. Every environment fights the first one until it is assigned
 * another. */
tb_code tb_batch_add_template(tb_batch *batch, const uint8_t *data, size_t size, int32_t *id_out);

/* Lets an environment fight a template; it must be reset before the next step. */
tb_code tb_batch_assign(tb_batch *batch, size_t env, int32_t template_id);

/* Types of the numbers in an array. */
enum { TB_U8 = 0, TB_U16 = 1, TB_I32 = 2, TB_I64 = 3, TB_U64 = 4, TB_F32 = 5 };

/* Kinds of buffers, with N environments, A = N * agents_per_env rows and W = the width of an observation. */
typedef int32_t tb_buffer_kind;

enum {
    TB_BUFFER_ACTIONS = 0,            /* read; int32 [A, TB_HEADS] */
    TB_BUFFER_OBS = 1,                /* float32 [A, W] */
    TB_BUFFER_ACTION_MASK = 2,        /* uint8 [A, TB_N_OPTIONS] */
    TB_BUFFER_REWARD = 3,             /* float32 [A] */
    TB_BUFFER_REWARD_COMPONENTS = 4,  /* float32 [A, TB_N_REWARD_COMPONENTS], before weights */
    TB_BUFFER_TERMINATED = 5,         /* uint8 [A] */
    TB_BUFFER_TRUNCATED = 6,          /* uint8 [A] */
    TB_BUFFER_ALIVE = 7,              /* uint8 [A]; 1 where the row takes the next decision */
    TB_BUFFER_ENV_DONE = 8,           /* uint8 [N]; 1 where the battle ended in this call */
    TB_BUFFER_TICK = 9,               /* int64 [N] */
    TB_BUFFER_STATE_HASH = 10,        /* uint64 [N]; computed only if it is registered */
    TB_BUFFER_EPISODE_START = 11,     /* uint8 [A]; 1 where the observation opens a battle */
    TB_BUFFER_METRICS = 12,           /* float32 [A, TB_N_METRICS] */
    TB_BUFFER_DT = 13,                /* uint16 [N]; ticks of this call */
    TB_BUFFER_EVENTS = 14,            /* uint64 [N]; bit = kind of event */
    TB_BUFFER_FINAL_OBS = 15          /* float32 [A, W]; written where a row's episode ends */
};

/* An array of yours. */
typedef struct tb_array {
    void *data;
    const int64_t *shape;    /* extents, the outermost first */
    const int64_t *strides;  /* bytes from an entry to the next, by extent; NULL where they follow one another */
    int32_t dtype;
    int32_t ndim;
    int32_t writable;        /* 0 if it is read-only */
    int32_t reserved;        /* 0 */
} tb_array;

/* Checks an array and uses it until another is registered or the batch is destroyed. Nothing is checked later. */
tb_code tb_batch_register(tb_batch *batch, tb_buffer_kind kind, const tb_array *array);

/* Resets the environments whose entry in `mask` is not 0, or all where `mask` is NULL: to the battle of their entry in
 * `seeds`, or of the next seed in their own sequence where `seeds` is NULL. Both have one entry per environment. */
tb_code tb_batch_reset(tb_batch *batch, const uint8_t *mask, const uint64_t *seeds);

/* Advances every environment by `ticks` ticks with the same actions; rewards are summed. An environment whose battle
 * ends stops there and opens the next in the same call. After TB_POISONED the other environments have advanced. */
tb_code tb_batch_step(tb_batch *batch, int32_t ticks);

/* Hands out the result of the battle that ended last since the reset, as JSON; free it with tb_free. */
tb_code tb_batch_result(const tb_batch *batch, size_t env, uint8_t **data_out, size_t *size_out);

typedef struct tb_event {
    int64_t id;      /* from 1, ascending in a battle */
    int64_t tick;
    int64_t source;  /* entity that did it, 0 for nobody */
    int64_t target;  /* entity it was done to, 0 for nobody */
    int64_t cause;   /* event that led to it, 0 for none */
    int64_t trace;   /* first event of the chain of causes that is still kept */
    double f0;
    double f1;
    int64_t i0;
    int32_t kind;    /* place in the world's table of events */
    int32_t reserved;
} tb_event;

/* Hands out the events since the last call, none unless `collect_events` is set; free them with tb_free. */
tb_code tb_batch_events(tb_batch *batch, size_t env, tb_event **events_out, size_t *count_out);

/* Hands out the complete state of an environment; free it with tb_free. */
tb_code tb_batch_snapshot(const tb_batch *batch, size_t env, uint8_t **data_out, size_t *size_out);

/* Continues an environment from a snapshot of the same battle and seats, and writes its rows. */
tb_code tb_batch_restore(tb_batch *batch, size_t env, const uint8_t *data, size_t size);

/* Equal states have equal hashes on every machine and in every tier. */
tb_code tb_batch_hash(const tb_batch *batch, size_t env, uint64_t *hash_out);

/* Fights a resolved package to its end with its own seed and hands out the result as JSON; free it with tb_free.
 * `controllers` is a JSON object from ship ids to controllers, or NULL; other ships are under "script:auto". */
tb_code tb_simulate(const uint8_t *package, size_t package_size, const uint8_t *controllers, size_t controllers_size,
                    uint8_t **data_out, size_t *size_out);

/* Fields over three layers of water, without a battle. A handle may be used by one thread at a time. */
typedef struct tb_fieldspace tb_fieldspace;

/* What a stamp does to a field. */
typedef struct tb_mod {
    uint32_t field;  /* 5 temperature, 6 noise, 7 smoke, 8 sediment, 9 wake, 10 sonar return */
    uint32_t op;     /* 0 set, 1 add, 2 subtract, 3 multiply, 4 maximum, 5 minimum, 6 blend */
    double value;
    double factor;   /* share of the value in a blend, 0 to 1 */
} tb_mod;

/* `bounds` are min x, min y, max x, max y in meters. */
tb_code tb_fieldspace_new(const double bounds[4], tb_fieldspace **space_out);

/* NULL is allowed. */
void tb_fieldspace_destroy(tb_fieldspace *space);

tb_code tb_fieldspace_reset(tb_fieldspace *space);

/* `layers` is a mask: 1 surface, 2 submerged, 4 abyssal. */
tb_code tb_fieldspace_stamp_circle(tb_fieldspace *space, uint32_t layers, double x, double y, double radius_m,
                                   const tb_mod *mods, size_t count, int32_t has_falloff);
tb_code tb_fieldspace_stamp_box(tb_fieldspace *space, uint32_t layers, double min_x, double min_y, double max_x,
                                double max_y, const tb_mod *mods, size_t count);

/* Lets everything spread, drift and fade for one period. */
tb_code tb_fieldspace_propagate(tb_fieldspace *space, double wind_x, double wind_y);

/* Writes TB_N_FIELDS values; `level` 0 is the finest. */
tb_code tb_fieldspace_point(tb_fieldspace *space, uint32_t layer, double x, double y, uint32_t level,
                            float *values_out);

/* Hands out a square grid, row by row; free it with tb_free. */
tb_code tb_fieldspace_grid(tb_fieldspace *space, uint32_t field, uint32_t layer, uint32_t level, float **values_out,
                           size_t *count_out);

/* Hands out the state as words; free them with tb_free. */
tb_code tb_fieldspace_snapshot(const tb_fieldspace *space, uint64_t **words_out, size_t *count_out);

/* Continues from the words of a space with the same bounds. */
tb_code tb_fieldspace_restore(tb_fieldspace *space, const uint64_t *words, size_t count);

tb_code tb_fieldspace_hash(const tb_fieldspace *space, uint64_t *hash_out);

#ifdef __cplusplus
}
#endif

#endif
