/* SPDX-License-Identifier: Apache-2.0 */
/* Tesela's C interface: the tensor operators Resize, Upsample, Tile and ConstantOfShape. This header is the manual.
 *
 * Conventions
 *   - Every function that can fail returns a tesela_status and takes `tesela_error* error`, which may be NULL, as its
 *     last parameter. On failure it writes no output parameter except `error`. No C++ exception leaves the library.
 *   - Handles (tesela_op, tesela_plan, tesela_value, ...) are created by ..._create, ..._load, ..._read and the like
 *     and destroyed by ..._destroy, which accepts NULL. Plans and models are immutable and may be used by several
 *     threads at once. So may a tesela_op while no thread changes it.
 *   - The caller sets a `struct_size` member to sizeof of its version of the struct, so that the struct can grow:
 *     members beyond that size count as zero, and zero always means the default. A NULL options pointer means all
 *     defaults. A struct_size of 0 is a usage error, and nothing is written to such a struct.
 *   - Functions that return no status accept NULL for a handle or a name: they return 0 or NULL and write nothing.
 *   - Extents and positions count elements; sizes in bytes are named so. Strings are UTF-8 and end with NUL unless
 *     they come with a length.
 *   - Results have the same bits for any thread count, region, instruction set and alignment.
 */
#ifndef TESELA_TESELA_H_
#define TESELA_TESELA_H_

#include <stddef.h>
#include <stdint.h>

#if defined(TESELA_STATIC)
#define TESELA_API
#else
#define TESELA_API __attribute__((visibility("default")))
#endif

/* Enumerations that callers pass. Their type is int in C++ too, so that unknown values are rejected, not undefined. */
#ifdef __cplusplus
#define TESELA_OF_INT : int
#else
#define TESELA_OF_INT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version --------------------------------------------------------------------------------------------------- */

/* The version of this header. */
#define TESELA_VERSION_MAJOR 0
#define TESELA_VERSION_MINOR 1
#define TESELA_VERSION_PATCH 0
#define TESELA_VERSION       "0.1.0"

/* That of the library: "0.1.0". */
TESELA_API const char* tesela_version(void);

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

/* The one table of status codes: name, constant, number, exit status of the command line, Python class. */
#define TESELA_STATUS_TABLE(X)                                                                           \
  X(usage, ERROR_USAGE, 1, 2, "UsageError")                    /* invalid options and calls */           \
  X(value, ERROR_VALUE, 2, 3, "InvalidValueError")             /* a number outside its range */          \
  X(attribute, ERROR_ATTRIBUTE, 3, 3, "AttributeValueError")   /* an attribute of an operator */         \
  X(count, ERROR_COUNT, 4, 3, "CountError")                    /* too many or too few */                 \
  X(type, ERROR_TYPE, 5, 3, "ElementTypeError")                /* an element type that is not allowed */ \
  X(rank, ERROR_RANK, 6, 3, "RankError")                       /* a wrong number of axes */              \
  X(shape, ERROR_SHAPE, 7, 3, "ShapeError")                    /* wrong or overflowing extents */        \
  X(parse, ERROR_PARSE, 8, 3, "ParseError")                    /* an invalid file */                     \
  X(truncated, ERROR_TRUNCATED, 9, 3, "TruncatedError")        /* a file that ends too early */          \
  X(path, ERROR_PATH, 10, 3, "PathError")                      /* a path that is not allowed */          \
  X(unsupported, ERROR_UNSUPPORTED, 11, 4, "UnsupportedError") /* valid, but not supported by Tesela */  \
  X(limit, ERROR_LIMIT, 12, 5, "LimitError")                   /* above a limit, which can be raised */  \
  X(no_memory, ERROR_NO_MEMORY, 13, 5, "NoMemoryError")        /* a failed allocation */                 \
  X(io, ERROR_IO, 14, 6, "IoError")                            /* a failed system call */                \
  X(cancelled, ERROR_CANCELLED, 15, 130, "CancelledError")     /* the caller cancelled the run */        \
  X(internal, ERROR_INTERNAL, 16, 70, "InternalError")         /* a bug in Tesela */

typedef enum tesela_status TESELA_OF_INT {
  TESELA_OK = 0,
#define TESELA_STATUS_CONSTANT(lower, upper, code, exit_code, python) TESELA_##upper = code,
  TESELA_STATUS_TABLE(TESELA_STATUS_CONSTANT)
#undef TESELA_STATUS_CONSTANT
} tesela_status;

/* The message names operator and version, node, input or attribute, value, and what is allowed. After `io` errno is
 * set, too. */
typedef struct tesela_error {
  tesela_status code;
  char message[304]; /* at most 300 characters and the NUL */
} tesela_error;

/* "value" for TESELA_ERROR_VALUE, "ok" for TESELA_OK. */
TESELA_API const char* tesela_status_name(tesela_status status);
/* The exit status of the command line for it. */
TESELA_API int tesela_status_exit_code(tesela_status status);

/* ---- Element types --------------------------------------------------------------------------------------------- */

/* The codes are those of ONNX's TensorProto.DataType. */
typedef int32_t tesela_dtype;
enum {
  TESELA_FLOAT = 1,
  TESELA_UINT8 = 2,
  TESELA_INT8 = 3,
  TESELA_UINT16 = 4,
  TESELA_INT16 = 5,
  TESELA_INT32 = 6,
  TESELA_INT64 = 7,
  TESELA_STRING = 8,
  TESELA_BOOL = 9,
  TESELA_FLOAT16 = 10,
  TESELA_DOUBLE = 11,
  TESELA_UINT32 = 12,
  TESELA_UINT64 = 13,
  TESELA_COMPLEX64 = 14,
  TESELA_COMPLEX128 = 15,
  TESELA_BFLOAT16 = 16,
  TESELA_FLOAT8E4M3FN = 17,
  TESELA_FLOAT8E4M3FNUZ = 18,
  TESELA_FLOAT8E5M2 = 19,
  TESELA_FLOAT8E5M2FNUZ = 20,
  TESELA_UINT4 = 21,
  TESELA_INT4 = 22,
  TESELA_FLOAT4E2M1 = 23,
  TESELA_FLOAT8E8M0 = 24,
  TESELA_UINT2 = 25,
  TESELA_INT2 = 26
};

/* ONNX's name ("float16"), or NULL for an unknown code. */
TESELA_API const char* tesela_dtype_name(tesela_dtype dtype);
/* The type with this ONNX, NumPy or OpenVINO name, or 0. */
TESELA_API tesela_dtype tesela_dtype_from_name(const char* name);
/* Bits of one element (2 and 4 for the packed types, 128 for strings), or 0 for an unknown code. */
TESELA_API int32_t tesela_dtype_bits(tesela_dtype dtype);
/* The name in NumPy or the package ml_dtypes ("bfloat16"), or NULL for an unknown code. Strings are "object". */
TESELA_API const char* tesela_dtype_numpy_name(tesela_dtype dtype);
/* DLPack's DLDataTypeCode, or -1 for strings and unknown codes. The DLDataType has this code, tesela_dtype_bits and one
   lane. */
TESELA_API int32_t tesela_dtype_dlpack_code(tesela_dtype dtype);
/* The type of a DLDataType with one lane, or 0. */
TESELA_API tesela_dtype tesela_dtype_from_dlpack(int32_t code, int32_t bits);

/* ---- Tensors --------------------------------------------------------------------------------------------------- */

/* One element of a string tensor. It does not own the bytes: an output's strings point to the input's. */
typedef struct tesela_string {
  const char* ptr;
  uint64_t length; /* bytes */
} tesela_string;

/* A view of a tensor. This struct never changes.
 * strides: bytes between neighbours along each axis, any sign, or NULL for dense row-major.
 * Packed types (2 and 4 bits, least significant first) are always dense and may begin bit_offset bits into data. */
typedef struct tesela_tensor {
  void* data;
  tesela_dtype dtype;
  int32_t rank;
  const int64_t* extents;
  const int64_t* strides;
  int64_t bit_offset;
} tesela_tensor;

/* Limits of a call; 0 means a member's default. */
typedef struct tesela_limits {
  size_t struct_size;
  uint64_t max_output_bytes;  /* of one tensor, including the bytes of its strings: 4 GiB */
  uint64_t max_rank;          /* 64 */
  uint64_t max_nodes;         /* of a model: 1,000,000 */
  uint64_t max_nesting;       /* of subgraphs: 64 */
  uint64_t max_pixels;        /* of an image: 2^28 */
  uint64_t max_working_bytes; /* scratch and tables of one run: 1 GiB */
  uint64_t max_session_bytes; /* of all values of a session's run at any time, including inputs and outputs:
                                 max_output_bytes and 1 GiB */
} tesela_limits;

/* A tensor that Tesela allocated, with its strings. */
typedef struct tesela_value tesela_value;

/* A dense uninitialised tensor (null strings). extents: [rank]. limits NULL: no limit.
 * Errors: type, shape, rank, limit, no_memory. */
TESELA_API tesela_status tesela_value_create(tesela_dtype dtype, int32_t rank, const int64_t* extents,
                                             const tesela_limits* limits, tesela_value** value, tesela_error* error);
/* A dense copy, including the bytes of strings. Errors: as tesela_value_create, usage. */
TESELA_API tesela_status tesela_value_copy(const tesela_tensor* tensor, const tesela_limits* limits,
                                           tesela_value** value, tesela_error* error);
/* A view of the value, valid as long as the value. */
TESELA_API void tesela_value_view(const tesela_value* value, tesela_tensor* view);
TESELA_API void tesela_value_destroy(tesela_value* value);

/* Tesela keeps up to 256 MiB of memory of destroyed tensors of at least 2 MiB for reuse. This releases kept memory to
 * the system until at most `keep_bytes` remain, and returns the number of kept bytes. */
TESELA_API uint64_t tesela_trim_memory(uint64_t keep_bytes);

/* Converts the elements to doubles, in row-major order. values: [elements], for complex types [2 * elements] with the
 * real part first. Any type except string; 64-bit integers above 2^53 are rounded. Errors: type, usage. */
TESELA_API tesela_status tesela_tensor_to_doubles(const tesela_tensor* tensor, double* values, tesela_error* error);
/* Writes numbers to a tensor: rounded to nearest even, integers saturated. count: elements, for complex types
 * 2 * elements. Errors: count, type, usage. */
TESELA_API tesela_status tesela_tensor_from_doubles(const double* values, size_t count, const tesela_tensor* tensor,
                                                    tesela_error* error);

/* Bytes that Tesela allocated: text, JSON or an encoded file. A NUL follows the last byte. */
typedef struct tesela_blob tesela_blob;
TESELA_API const char* tesela_blob_data(const tesela_blob* blob);
TESELA_API size_t tesela_blob_size(const tesela_blob* blob);
TESELA_API void tesela_blob_destroy(tesela_blob* blob);

/* Makes a text from a file safe for terminals: escapes controls, direction marks and invalid UTF-8 bytes ("\x1b",
 * "\u202e"), but not line feeds. Messages and plain texts already have this form. */
TESELA_API tesela_status tesela_printable(const char* text, size_t length, tesela_blob** printable,
                                          tesela_error* error);

/* ---- Tensor files ---------------------------------------------------------------------------------------------- */

typedef enum tesela_file_format TESELA_OF_INT {
  TESELA_FILE_AUTO = 0, /* by the first bytes for reading, by the name's ending for writing */
  TESELA_FILE_NPY = 1,
  TESELA_FILE_NPZ = 2,
  TESELA_FILE_PB = 3, /* a serialized TensorProto */
  TESELA_FILE_PNG = 4,
  TESELA_FILE_JPEG = 5
} tesela_file_format;

typedef struct tesela_file_options {
  size_t struct_size;
  tesela_file_format format;
  tesela_dtype dtype; /* reading .npy: the actual type, for types without a NumPy name; 0: as in the file */
  const char* entry;  /* .npz: the array's name; NULL for the only one */
  const char* name;   /* writing .pb: the tensor's name */
  const tesela_limits* limits;
  int32_t jpeg_quality; /* writing .jpg: 1 to 100, 0 for 92 */
} tesela_file_options;

/* Reads a tensor from a file. Images are read as uint8 or uint16 (16-bit PNG), [H, W, C].
 * tensor_name: NULL, or set to the name in a .pb file ("" if none), valid as long as the value.
 * Errors: io, path, parse, truncated, unsupported, limit, no_memory. */
TESELA_API tesela_status tesela_value_read(const char* path, const tesela_file_options* options, tesela_value** value,
                                           const char** tensor_name, tesela_error* error);
/* The same from memory. TESELA_FILE_AUTO treats unrecognised data as a .pb file. */
TESELA_API tesela_status tesela_value_read_memory(const void* data, size_t size, const tesela_file_options* options,
                                                  tesela_value** value, const char** tensor_name, tesela_error* error);
/* Writes a tensor to a file. The file appears complete or not at all, and replaces an older one only then. Pipes and
 * devices are written directly. Errors: usage (an unknown ending), type, shape, unsupported, io, path. */
TESELA_API tesela_status tesela_tensor_write(const tesela_tensor* tensor, const char* path,
                                             const tesela_file_options* options, tesela_error* error);
/* The bytes of that file. The format must not be TESELA_FILE_AUTO. */
TESELA_API tesela_status tesela_tensor_encode(const tesela_tensor* tensor, const tesela_file_options* options,
                                              tesela_blob** blob, tesela_error* error);

/* ---- Operators ------------------------------------------------------------------------------------------------- */

typedef enum tesela_text_format TESELA_OF_INT {
  TESELA_TEXT_PLAIN = 0, /* for people */
  TESELA_TEXT_JSON = 1,
  TESELA_TEXT_MARKDOWN = 2, /* tesela_ops and tesela_catalogue */
  TESELA_TEXT_SVG = 3,      /* tesela_plan_explain */
  TESELA_TEXT_SARIF = 4     /* tesela_model_lint */
} tesela_text_format;

/* All operators, versions, types and attributes, generated from the table used for checks. */
TESELA_API tesela_status tesela_ops(tesela_text_format format, tesela_blob** text, tesela_error* error);

/* What this copy of the library is and what it found: version, instruction sets, caches, threads, libraries, and what
 * is wrong with TESELA_CACHE_BYTES and TESELA_NUM_THREADS. format: TESELA_TEXT_PLAIN or TESELA_TEXT_JSON
 * (docs/schemas/doctor.json). problems: NULL, or set to their number. Errors: usage, no_memory. */
TESELA_API tesela_status tesela_doctor(tesela_text_format format, tesela_blob** text, size_t* problems,
                                       tesela_error* error);

/* An operator with its attributes, for example "Resize" of opset 18. */
typedef struct tesela_op tesela_op;

/* domain: "" or "ai.onnx", or "openvino". opset: of the domain; selects the newest version not above it. 0: the newest.
 * node: a name for messages, may be NULL. Errors: unsupported (operator or opset). */
TESELA_API tesela_status tesela_op_create(const char* domain, const char* type, int64_t opset, const char* node,
                                          tesela_op** op, tesela_error* error);
/* Sets an attribute to a copy of the value. Planning checks names and types against the operator's row.
 * Strings with names that begin with "tesela." are not attributes of the standard but plan fields, which change how
 * Resize is computed: "tesela.extents" selects how scales give extents, also in shape inference ("standard": extent *
 * scale in double, rounded down; "host": in float, as in ONNX Runtime; "openvino"); others give the results of other
 * libraries. docs/semantics.md lists them.
 * Errors: attribute (set twice; an unknown field or value). */
TESELA_API tesela_status tesela_op_set_int(tesela_op* op, const char* name, int64_t value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_float(tesela_op* op, const char* name, float value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_string(tesela_op* op, const char* name, const char* value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_ints(tesela_op* op, const char* name, const int64_t* values, size_t count,
                                            tesela_error* error);
TESELA_API tesela_status tesela_op_set_floats(tesela_op* op, const char* name, const float* values, size_t count,
                                              tesela_error* error);
TESELA_API tesela_status tesela_op_set_tensor(tesela_op* op, const char* name, const tesela_tensor* value,
                                              tesela_error* error);
/* The resolved version: since_version of the operator's row. */
TESELA_API int64_t tesela_op_since_version(const tesela_op* op);
TESELA_API void tesela_op_destroy(tesela_op* op);

/* The inputs of the resolved version, in the order of function parameters: "X", "roi", "scales", "sizes".
 * Names are valid as long as the library; NULL beyond the last. */
TESELA_API size_t tesela_op_input_count(const tesela_op* op);
TESELA_API const char* tesela_op_input_name(const tesela_op* op, size_t index);

/* The codes are those of ONNX's AttributeProto.AttributeType. */
typedef enum tesela_attribute_kind TESELA_OF_INT {
  TESELA_ATTRIBUTE_NONE = 0,
  TESELA_ATTRIBUTE_FLOAT = 1,
  TESELA_ATTRIBUTE_INT = 2,
  TESELA_ATTRIBUTE_STRING = 3,
  TESELA_ATTRIBUTE_TENSOR = 4,
  TESELA_ATTRIBUTE_FLOATS = 6,
  TESELA_ATTRIBUTE_INTS = 7
} tesela_attribute_kind;

/* The attributes of the resolved version, and the kind of one; NONE if the version has none of this name. */
TESELA_API size_t tesela_op_attribute_count(const tesela_op* op);
TESELA_API const char* tesela_op_attribute_name(const tesela_op* op, size_t index);
TESELA_API tesela_attribute_kind tesela_op_attribute_kind(const tesela_op* op, const char* name);
/* The strings that an attribute of the version, or a field of plans ("tesela.order"), may be; NULL beyond the last, and
 * where it may be any or is no string. */
TESELA_API const char* tesela_op_attribute_allowed(const tesela_op* op, const char* name, size_t index);
/* The plan fields: "tesela.order", ...; NULL beyond the last. */
TESELA_API const char* tesela_field_name(size_t index);

/* For hosts that do not provide a node's version: the attributes of all versions of an operator, to look up in the
 * host's node. NULL beyond the last and for an unknown operator. */
TESELA_API const char* tesela_operator_attribute_name(const char* domain, const char* type, size_t index);
/* The version of a node: the newest one, except deprecated ones, that allows this number of inputs, including omitted
 * ones between them, and these attributes. attributes: [attribute_count], or NULL if they are unknown, to ignore them.
 * Errors: unsupported (an unknown operator; no such version). */
TESELA_API tesela_status tesela_operator_version(const char* domain, const char* type, size_t input_count,
                                                 size_t attribute_count, const char* const* attributes,
                                                 int64_t* version, tesela_error* error);

/* The known name most likely meant by an unknown one: a synonym from other libraries, the nearest by a few letters, or
 * the shortest that begins with it. Ignores case, '-' and '_'. known: [count]. NULL if none is near. */
TESELA_API const char* tesela_nearest_name(const char* name, size_t count, const char* const* known);

/* ---- Shape inference ------------------------------------------------------------------------------------------- */

/* One extent: value >= 0, or value -1 with a symbol ("N"), or value -1 and no symbol (unknown). */
typedef struct tesela_dim {
  int64_t value;
  const char* symbol; /* NULL or "" for none */
} tesela_dim;

/* What is known about a tensor. */
typedef struct tesela_tensor_info {
  size_t struct_size;
  tesela_dtype dtype;            /* 0: unknown */
  int32_t rank;                  /* -1: unknown */
  const tesela_dim* dims;        /* [rank] */
  const tesela_tensor* constant; /* its value if known, else NULL */
  const tesela_dim* shape_value; /* [shape_value_count] entries, partly known, of a 1-D tensor; else NULL */
  size_t shape_value_count;
} tesela_tensor_info;

/* The inferred type and shape of an operator's output. */
typedef struct tesela_inferred tesela_inferred;

/* inputs: [count], NULL for an omitted input. Errors: inputs that violate the operator's rules. */
TESELA_API tesela_status tesela_op_infer(const tesela_op* op, size_t count, const tesela_tensor_info* const* inputs,
                                         tesela_inferred** inferred, tesela_error* error);
/* Valid as long as `inferred`. */
TESELA_API void tesela_inferred_info(const tesela_inferred* inferred, tesela_tensor_info* info);
TESELA_API void tesela_inferred_destroy(tesela_inferred* inferred);

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

/* The computation of one operator for one set of shapes: immutable, for any number of runs and threads. Any box of the
 * output can be computed separately, from the box of the input that tesela_plan_input_region returns, with the same
 * bits as in the whole output. */
typedef struct tesela_plan tesela_plan;

/* inputs: [count], NULL for an omitted input. Of inputs[0] of Resize, Upsample and Tile only dtype and extents are
 * used; the other inputs (scales, sizes, roi, repeats, shape) are read now. limits NULL: no limits.
 * Errors: any violation of the operator's rules; in a run only memory can fail. */
TESELA_API tesela_status tesela_plan_create(const tesela_op* op, size_t count, const tesela_tensor* const* inputs,
                                            const tesela_limits* limits, tesela_plan** plan, tesela_error* error);
/* The same with inputs by name, for any order in the version. names: [count]; NULL for the first input.
 * inputs: [count], NULL for an omitted one. Required inputs that may be empty (roi and scales of Resize-11) can be
 * omitted. Errors: as tesela_plan_create; count (an input that the version does not have). */
TESELA_API tesela_status tesela_plan_create_named(const tesela_op* op, size_t count, const char* const* names,
                                                  const tesela_tensor* const* inputs, const tesela_limits* limits,
                                                  tesela_plan** plan, tesela_error* error);
TESELA_API void tesela_plan_destroy(tesela_plan* plan);
TESELA_API tesela_dtype tesela_plan_dtype(const tesela_plan* plan);
TESELA_API int32_t tesela_plan_output_rank(const tesela_plan* plan);
TESELA_API const int64_t* tesela_plan_output_extents(const tesela_plan* plan); /* [output rank] */
TESELA_API int32_t tesela_plan_input_rank(const tesela_plan* plan);            /* 0 for ConstantOfShape */
TESELA_API const int64_t* tesela_plan_input_extents(const tesela_plan* plan);  /* [input rank] */

/* The box of the input that a box of the output needs. lo, extents: [output rank]; input_lo, input_extents:
 * [input rank], written. Errors: shape (a box outside the output). */
TESELA_API tesela_status tesela_plan_input_region(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                                  int64_t* input_lo, int64_t* input_extents, tesela_error* error);
/* Bytes of scratch memory for a run of this box on one thread. */
TESELA_API tesela_status tesela_plan_scratch_bytes(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                                   uint64_t* bytes, tesela_error* error);

/* A host's threads: calls task(argument, index) for every index in [0, count), in any order, on any threads, and
 * returns when all are done. */
typedef struct tesela_executor {
  size_t struct_size;
  void (*parallel_for)(void* context, int64_t count, void (*task)(void* argument, int64_t index), void* argument);
  void* context;
  int32_t concurrency; /* number of threads, at least 1 */
} tesela_executor;

/* A finished node of a session, for on_node. Pointers are valid during the call. */
typedef struct tesela_node_event {
  const char* node; /* its name, "" if none */
  const char* type; /* "Resize" */
  int64_t since_version;
  const char* dtype;  /* of the output */
  const char* shapes; /* "1x3x4x4 -> 1x3x8x8" */
  double milliseconds;
  const char* input_dtype;
} tesela_node_event;

typedef enum tesela_backend TESELA_OF_INT {
  TESELA_BACKEND_AUTO = 0,     /* the fastest one; equal in every bit to the reference */
  TESELA_BACKEND_REFERENCE = 1 /* the definition */
} tesela_backend;

typedef struct tesela_run_options {
  size_t struct_size;
  int32_t threads; /* 0: TESELA_NUM_THREADS, else one per core that affinity and CPU quota allow; 1: the caller's */
  tesela_backend backend;
  const tesela_executor* executor; /* NULL: oneTBB */
  const int32_t* cancel;           /* NULL, or polled: non-zero stops the run */
  void* scratch;                   /* NULL: Tesela's. Else scratch_bytes, 64-byte aligned; used if large enough */
  size_t scratch_bytes;
  void (*on_node)(void* context, const tesela_node_event* event); /* for sessions; may be NULL */
  void* on_node_context;
  void (*on_progress)(void* context, double fraction); /* called repeatedly on the calling thread; may be NULL */
  void* on_progress_context;
} tesela_run_options;

/* Computes the whole output. x: the input (ignored for ConstantOfShape, may be NULL). y: the output, with the plan's
 * dtype and extents and any strides. x and y must not overlap.
 * Errors: type, shape, usage, no_memory, cancelled. */
TESELA_API tesela_status tesela_plan_run(const tesela_plan* plan, const tesela_tensor* x, const tesela_tensor* y,
                                         const tesela_run_options* options, tesela_error* error);
/* Computes the box [lo, lo + y->extents) of the output into y from the box of the input that begins at x_lo and has
 * x's extents; that box must contain the result of tesela_plan_input_region. Errors: as tesela_plan_run. */
TESELA_API tesela_status tesela_plan_run_region(const tesela_plan* plan, const tesela_tensor* x, const int64_t* x_lo,
                                                const tesela_tensor* y, const int64_t* lo,
                                                const tesela_run_options* options, tesela_error* error);

/* A pass of a plan: one axis that is resampled. Passes run one after the other; each reads what the one before wrote, and sums
 * the inputs of each output in ascending order. So a window of inputs need not be in memory at once: an accumulator keeps the
 * partial sums while boxes of the input come in ascending order along the axis. The result has the bits of a whole run.
 * The first pass reads elements, the others read accumulators' numbers; the last one writes elements. */
typedef struct tesela_pass {
  size_t struct_size;
  int32_t axis;
  int32_t rank;                   /* of the input and the output, which differ along the axis only */
  tesela_dtype input_dtype;       /* the plan's, or accumulator_dtype */
  tesela_dtype accumulator_dtype; /* TESELA_FLOAT, _DOUBLE, _COMPLEX64 or _COMPLEX128 */
  tesela_dtype output_dtype;      /* accumulator_dtype, or the plan's */
  int64_t window;                 /* the most inputs of one output */
} tesela_pass;

/* The number of passes; 0 if elements are only copied (nearest, tile, no axis that changes), whose windows are one element.
 * Errors: unsupported (a plan with the results of another library, which adds in other orders). */
TESELA_API tesela_status tesela_plan_pass_count(const tesela_plan* plan, size_t* count, tesela_error* error);
/* pass: the position in the order of execution. info: written; its struct_size is set by the caller. input_extents,
 * output_extents: [rank], written, or NULL. Errors: value (no such pass), unsupported. */
TESELA_API tesela_status tesela_plan_pass_info(const tesela_plan* plan, size_t pass, tesela_pass* info,
                                               int64_t* input_extents, int64_t* output_extents, tesela_error* error);
/* The box of the pass's input that a box of its output needs. lo, extents: [rank]; input_lo, input_extents: [rank], written.
 * Errors: shape (a box outside the pass's output), value, unsupported. */
TESELA_API tesela_status tesela_plan_pass_input_region(const tesela_plan* plan, size_t pass, const int64_t* lo,
                                                       const int64_t* extents, int64_t* input_lo,
                                                       int64_t* input_extents, tesela_error* error);
/* Sets every number of an accumulator, a tensor of accumulator_dtype with any strides, to -0.0: adding x to it gives x, also for
 * x = -0.0. Errors: type, rank, value, unsupported. */
TESELA_API tesela_status tesela_plan_pass_begin(const tesela_plan* plan, size_t pass, const tesela_tensor* accumulator,
                                                tesela_error* error);
/* Adds to the accumulator, which is the box [lo, lo + accumulator->extents) of the pass's output, the taps whose inputs are in x,
 * the box of the pass's input that begins at x_lo. Sums without inputs in x stay as they are. The boxes that have inputs of a sum
 * must come in ascending order along the axis, without overlap and gaps: this is not checked. Boxes may be of any size, and end
 * anywhere. x and the accumulator must not overlap. Several threads may add to different sums at once. After no_memory and
 * cancelled the accumulator's numbers are undefined. options: threads, backend, executor, cancel, on_progress.
 * Errors: type, rank, shape (a box outside its tensor), usage, value, unsupported, no_memory, cancelled. */
TESELA_API tesela_status tesela_plan_pass_add(const tesela_plan* plan, size_t pass, const tesela_tensor* x,
                                              const int64_t* x_lo, const tesela_tensor* accumulator, const int64_t* lo,
                                              const tesela_run_options* options, tesela_error* error);
/* Turns the complete sums of the box [lo, lo + accumulator->extents) into the same box of the pass's output: the last pass rounds
 * to elements, saturates them and writes extrapolation values. y: of output_dtype and the accumulator's extents; it may be the
 * accumulator itself if output_dtype is accumulator_dtype. Errors: as tesela_plan_pass_add. */
TESELA_API tesela_status tesela_plan_pass_finish(const tesela_plan* plan, size_t pass, const tesela_tensor* accumulator,
                                                 const tesela_tensor* y, const int64_t* lo,
                                                 const tesela_run_options* options, tesela_error* error);

/* The plan as text: passes, rules, sizes of tables. */
TESELA_API tesela_status tesela_plan_describe(const tesela_plan* plan, tesela_text_format format, tesela_blob** text,
                                              tesela_error* error);

typedef struct tesela_explain_options {
  size_t struct_size;
  size_t axis_count; /* 0: every axis that changes */
  const int32_t* axes;
  int64_t first; /* the outputs of each of these axes; count 0: all of a short axis, the first and last of a long one */
  int64_t count;
  int32_t width;     /* columns of plain text, 20 to 10,000; 0: 80 */
  const char* title; /* NULL, or a line above, such as the name of a node */
} tesela_explain_options;
/* For each axis the rules that give each output its position, its inputs and their weights, and the outputs with borders
 * and ties marked. The numbers are those of tesela_plan_axis_table. Plain text, JSON (docs/schemas/explain.json) or SVG.
 * Errors: value (no such axis or range; a width), limit (more than 65,536 outputs or 262,144 taps; for SVG 512 outputs or
 * 8,192 taps), usage (a format), unsupported (a plan with the results of another library). */
TESELA_API tesela_status tesela_plan_explain(const tesela_plan* plan, const tesela_explain_options* options,
                                             tesela_text_format format, tesela_blob** text, tesela_error* error);

/* The table of one axis for a range of its outputs: the input elements and weights of each output.
 * The count of an extrapolated output is 0. Weights are rounded to the type of the computation. */
typedef struct tesela_axis_table tesela_axis_table;
typedef struct tesela_axis_table_view {
  size_t struct_size;
  int64_t outputs;       /* entries of first and count */
  int64_t taps;          /* pitch of a row of weights */
  const int64_t* first;  /* [outputs] leftmost input element */
  const int32_t* count;  /* [outputs] number of taps */
  const double* weights; /* [outputs, taps], NULL if elements are only moved (nearest, tile) */
} tesela_axis_table_view;
/* axis: of the output. lo, n: the range. Errors: value (no such axis or range), no_memory, unsupported (a plan with the
 * results of another library). */
TESELA_API tesela_status tesela_plan_axis_table(const tesela_plan* plan, int32_t axis, int64_t lo, int64_t n,
                                                tesela_axis_table** table, tesela_error* error);
TESELA_API void tesela_axis_table_get(const tesela_axis_table* table, tesela_axis_table_view* view);
TESELA_API void tesela_axis_table_destroy(tesela_axis_table* table);

/* Keeps the most recently used plans, at most `capacity`, so that repeated calls need no planning. Thread-safe. */
typedef struct tesela_plan_cache tesela_plan_cache;
/* Errors: value (a capacity of 0), no_memory. */
TESELA_API tesela_status tesela_plan_cache_create(size_t capacity, tesela_plan_cache** cache, tesela_error* error);
/* Plans from the cache stay valid. */
TESELA_API void tesela_plan_cache_destroy(tesela_plan_cache* cache);
/* Like tesela_plan_create, but returns a kept plan for the same attributes, limits, types, extents and values of inputs
 * that are read; ignores node names. Does not keep plans if inputs that are read exceed 4 KiB or have strides. The
 * caller owns the plan and destroys it with tesela_plan_destroy, before or after the cache. Errors: as
 * tesela_plan_create; failed calls are not kept. */
TESELA_API tesela_status tesela_plan_cache_get(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                               const tesela_tensor* const* inputs, const tesela_limits* limits,
                                               tesela_plan** plan, tesela_error* error);
/* The kept plan, or NULL. The caller owns it, too. */
TESELA_API tesela_plan* tesela_plan_cache_find(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                               const tesela_tensor* const* inputs, const tesela_limits* limits);
TESELA_API void tesela_plan_cache_clear(tesela_plan_cache* cache);
TESELA_API size_t tesela_plan_cache_size(const tesela_plan_cache* cache); /* number of kept plans */

/* ---- Images by rows -------------------------------------------------------------------------------------------- */

/* Images of any size, in memory for a few rows. `to` and `from` are descriptors of open regular files, read and written
 * from their beginning. options: progress and cancellation, may be NULL.
 *
 * Decodes a PNG or JPEG file to `to`: the dense elements of what tesela_value_read reads. extents: room for three.
 * limits: NULL for none. max_working_bytes limits what is kept besides the rows: the coefficients of a progressive JPEG.
 * Errors: io, path, parse, truncated, unsupported, limit, no_memory, cancelled. */
TESELA_API tesela_status tesela_image_unpack(const char* path, const tesela_limits* limits, int to,
                                             const tesela_run_options* options, tesela_dtype* dtype, int64_t* extents,
                                             tesela_error* error);
/* Whether TESELA_FILE_PNG or TESELA_FILE_JPEG holds such a tensor; its data are not read. Errors: usage, unsupported,
 * shape. */
TESELA_API tesela_status tesela_image_check(const tesela_tensor* tensor, tesela_file_format format,
                                            tesela_error* error);
/* Encodes the dense elements in `from` to `to`: the bytes that tesela_tensor_write writes. tensor: their type and extents.
 * Errors: those of tesela_image_check, io, truncated, no_memory, cancelled. */
TESELA_API tesela_status tesela_image_pack(const tesela_tensor* tensor, int from, const tesela_file_options* options,
                                           int to, const tesela_run_options* run_options, tesela_error* error);

/* ---- Models ---------------------------------------------------------------------------------------------------- */

/* A model file: ONNX or OpenVINO IR. Any model can be loaded, inspected and checked; models with only Tesela's
 * operators, Constant and Identity can be run. */
typedef struct tesela_model tesela_model;

typedef struct tesela_load_options {
  size_t struct_size;
  const tesela_limits* limits;
  int64_t assume_opset;       /* 0, or the opset of ONNX's domain to read the model by */
  const char* base_directory; /* of external data, for models from memory; NULL: external data is an error */
  const char* extents;        /* NULL, or the plan field "tesela.extents" for all nodes */
} tesela_load_options;

/* Constants in other files of more than 64 MiB are read by the first run that needs them; where such a file was cut by
 * then, the run fails (truncated). Errors: io, path, parse, truncated, limit, unsupported. */
TESELA_API tesela_status tesela_model_load(const char* path, const tesela_load_options* options, tesela_model** model,
                                           tesela_error* error);
/* The bytes are not copied: they must stay valid and unchanged as long as the model exists. */
TESELA_API tesela_status tesela_model_load_memory(const void* data, size_t size, const tesela_load_options* options,
                                                  tesela_model** model, tesela_error* error);
TESELA_API void tesela_model_destroy(tesela_model* model);

TESELA_API size_t tesela_model_input_count(const tesela_model* model); /* required inputs: without initializers */
TESELA_API size_t tesela_model_output_count(const tesela_model* model);
/* Valid as long as the model; NULL beyond the last. */
TESELA_API const char* tesela_model_input_name(const tesela_model* model, size_t index);
TESELA_API const char* tesela_model_output_name(const tesela_model* model, size_t index);
TESELA_API tesela_status tesela_model_input_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                                 tesela_error* error);
TESELA_API tesela_status tesela_model_output_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                                  tesela_error* error);

/* Inputs, outputs, and each of Tesela's nodes with its resolved version, attributes and inferred shapes. */
TESELA_API tesela_status tesela_model_inspect(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                              tesela_error* error);
/* Every error that can be found without input data, and notes on valid but unexpected properties. */
TESELA_API tesela_status tesela_model_check(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                            size_t* faults, tesela_error* error);

/* What other runtimes and libraries do with these operators: refused, ignored, or computed by another rule, each with
 * condition, effect, cure and source. format: TESELA_TEXT_JSON or TESELA_TEXT_MARKDOWN. Errors: usage, no_memory. */
TESELA_API tesela_status tesela_catalogue(tesela_text_format format, tesela_blob** text, tesela_error* error);

typedef struct tesela_lint_options {
  size_t struct_size;
  const char* const* runtimes; /* [runtime_count] names of the catalogue, or "all"; NULL: the usual ones */
  size_t runtime_count;
  const char* path; /* of the model, for TESELA_TEXT_SARIF; may be NULL */
} tesela_lint_options;

/* What each node risks elsewhere by that catalogue, with the effect in numbers where shapes are known; runs nothing.
 * Formats: plain, JSON, SARIF 2.1.0. errors: NULL, or set to the number of faults of the file and of nodes that a named
 * runtime refuses; other findings are warnings.
 * Errors: value (an unknown runtime), usage, no_memory. */
TESELA_API tesela_status tesela_model_lint(const tesela_model* model, const tesela_lint_options* options,
                                           tesela_text_format format, tesela_blob** text, size_t* errors,
                                           tesela_error* error);

typedef struct tesela_fix_options {
  size_t struct_size;
  const char* meant; /* NULL: numbers stay; or whose numbers are meant: "pytorch", "tensorflow", "opset10" */
  int64_t opset;     /* 0, or the opset of ONNX's domain to upgrade to */
  const char* path;  /* NULL, or the file to write; the model's external data is copied beside it */
} tesela_fix_options;

/* Cures what lint and check find in an ONNX model, where that is safe: nodes are upgraded, and get attributes and inputs that
 * mean the same everywhere; what changes numbers needs `meant`, or the plan field "tesela.extents" of the model. Each change
 * is run on random inputs, before and after. Only changed nodes get other bytes. text: NULL, or a report, plain or JSON
 * (docs/schemas/fix.json). bytes: NULL, or the new file.
 * Errors: unsupported (another format; an upgrade that other operators prevent), value (an unknown meaning, an older opset),
 * path (the model's own file; files in the way of external data), io, limit. */
TESELA_API tesela_status tesela_model_fix(const tesela_model* model, const tesela_fix_options* options,
                                          tesela_text_format format, tesela_blob** text, tesela_blob** bytes,
                                          tesela_error* error);

/* The plan of one of the model's nodes of Tesela's operators, also in subgraphs and functions, from what can be inferred
 * about its inputs. node: its name, with the path of its subgraph before it if several have it, as tesela_model_check
 * prints it ("If node 'x' then_branch: up"); or "#3" for the third of these nodes in the order of tesela_model_inspect; or
 * NULL for the only one. names, infos: [count], at most 1,000: what the caller knows about values of the model's graph in
 * addition, such as the shapes of inputs; of inputs also the elements.
 * Errors: value (no such node or value; more than one node), shape and type (an input of the node is unknown, or what is
 * given contradicts the model), and those of the node and of planning. */
TESELA_API tesela_status tesela_model_plan(const tesela_model* model, const char* node, size_t count,
                                           const char* const* names, const tesela_tensor_info* const* infos,
                                           tesela_plan** plan, tesela_error* error);

/* A model prepared for runs. Each run may have different shapes; only one run at a time per session. */
typedef struct tesela_session tesela_session;
/* Errors: unsupported (names every unsupported node), and every error that check finds. */
TESELA_API tesela_status tesela_session_create(const tesela_model* model, const tesela_limits* limits,
                                               tesela_session** session, tesela_error* error);
/* names, inputs: [input_count]. output_names: [output_count], or NULL for all outputs of the model in their order.
 * outputs: [output_count], written; the caller destroys them. Errors: value (an unknown name), count (a missing
 * input), type, rank, shape, limit, no_memory, cancelled, and violations of the operators' rules. */
TESELA_API tesela_status tesela_session_run(tesela_session* session, size_t input_count, const char* const* names,
                                            const tesela_tensor* inputs, size_t output_count,
                                            const char* const* output_names, tesela_value** outputs,
                                            const tesela_run_options* options, tesela_error* error);
TESELA_API void tesela_session_destroy(tesela_session* session);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TESELA_TESELA_H_ */
