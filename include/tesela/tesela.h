/* Tesela's C interface: the tensor operators Resize, Upsample, Tile and ConstantOfShape. This header is the manual.
 *
 * Conventions
 *   - Every function that can fail returns a tesela_status and takes a `tesela_error* error` last, which may be NULL.
 *     On failure no output parameter is written, except `error`. No C++ exception leaves the library.
 *   - Handles (tesela_op, tesela_plan, tesela_value, ...) are made by ..._create, ..._load, ..._read and the like and
 *     given back with ..._destroy, which accepts NULL. A plan and a model are immutable: any number of threads may
 *     use one at the same time. A tesela_op that nobody changes may be shared too.
 *   - A struct with a `struct_size` member is filled by the caller with sizeof of its own version, so that the struct
 *     can grow: members beyond that size are taken as zero, and zero always means the default. A NULL options pointer
 *     means all defaults. A struct_size of 0 is a usage error, and nothing is written into such a struct.
 *   - Functions that return no status take NULL for a handle or a name too: they return 0 or NULL and write nothing.
 *   - Extents and positions count elements, sizes in bytes say so. Strings are UTF-8 and end with NUL unless a length
 *     stands beside them.
 *   - Results have the same bits whatever the thread count, the region, the instruction set and the alignment.
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

/* "0.1.0". */
TESELA_API const char* tesela_version(void);

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

/* The one table of status codes: name, constant, number, exit status of the command line, Python class. */
#define TESELA_STATUS_TABLE(X)                                                                            \
  X(usage, ERROR_USAGE, 1, 2, "UsageError")                    /* options and calls that make no sense */ \
  X(value, ERROR_VALUE, 2, 3, "InvalidValueError")             /* a number outside its range */           \
  X(attribute, ERROR_ATTRIBUTE, 3, 3, "AttributeValueError")   /* an attribute of an operator */          \
  X(count, ERROR_COUNT, 4, 3, "CountError")                    /* too many or too few of something */     \
  X(type, ERROR_TYPE, 5, 3, "ElementTypeError")                /* an element type that is not allowed */  \
  X(rank, ERROR_RANK, 6, 3, "RankError")                       /* a wrong number of axes */               \
  X(shape, ERROR_SHAPE, 7, 3, "ShapeError")                    /* extents that are wrong or overflow */   \
  X(parse, ERROR_PARSE, 8, 3, "ParseError")                    /* a file that breaks its format */        \
  X(truncated, ERROR_TRUNCATED, 9, 3, "TruncatedError")        /* a file that ends too early */           \
  X(path, ERROR_PATH, 10, 3, "PathError")                      /* a path that may not be used */          \
  X(unsupported, ERROR_UNSUPPORTED, 11, 4, "UnsupportedError") /* legal, but not for Tesela */            \
  X(limit, ERROR_LIMIT, 12, 5, "LimitError")                   /* over a limit that may be raised */      \
  X(no_memory, ERROR_NO_MEMORY, 13, 5, "NoMemoryError")        /* the allocator said no */                \
  X(io, ERROR_IO, 14, 6, "IoError")                            /* the operating system said no */         \
  X(cancelled, ERROR_CANCELLED, 15, 130, "CancelledError")     /* the caller asked to stop */             \
  X(internal, ERROR_INTERNAL, 16, 70, "InternalError")         /* a fault of Tesela's own */

typedef enum tesela_status TESELA_OF_INT {
  TESELA_OK = 0,
#define TESELA_STATUS_CONSTANT(lower, upper, code, exit_code, python) TESELA_##upper = code,
  TESELA_STATUS_TABLE(TESELA_STATUS_CONSTANT)
#undef TESELA_STATUS_CONSTANT
} tesela_status;

/* What went wrong, in words: operator and version, node, thing, value, what is allowed. After `io` errno says why too. */
typedef struct tesela_error {
  tesela_status code;
  char message[304]; /* at most 300 characters and the NUL */
} tesela_error;

/* "value" for TESELA_ERROR_VALUE, "ok" for TESELA_OK. */
TESELA_API const char* tesela_status_name(tesela_status status);
/* The exit status that the command line uses for it. */
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
/* The type with this ONNX, numpy or OpenVINO name, or 0. */
TESELA_API tesela_dtype tesela_dtype_from_name(const char* name);
/* Bits of one element (2 and 4 for the packed types, 128 for strings), or 0 for an unknown code. */
TESELA_API int32_t tesela_dtype_bits(tesela_dtype dtype);
/* NumPy's name, or that of the package ml_dtypes ("bfloat16"), or NULL for an unknown code. Strings are "object". */
TESELA_API const char* tesela_dtype_numpy_name(tesela_dtype dtype);
/* DLPack's DLDataTypeCode, which with tesela_dtype_bits and one lane names the type there, or -1 for strings and unknown
   codes. */
TESELA_API int32_t tesela_dtype_dlpack_code(tesela_dtype dtype);
/* The type of a DLDataType of one lane, or 0. */
TESELA_API tesela_dtype tesela_dtype_from_dlpack(int32_t code, int32_t bits);

/* ---- Tensors --------------------------------------------------------------------------------------------------- */

/* One element of a string tensor. The bytes are borrowed: an output's strings are those of the input. */
typedef struct tesela_string {
  const char* ptr;
  uint64_t length; /* bytes */
} tesela_string;

/* A borrowed tensor. This struct is frozen; it never grows.
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

/* What a call may use at most; 0 in a member means its default. */
typedef struct tesela_limits {
  size_t struct_size;
  uint64_t max_output_bytes;  /* of one tensor, the bytes of its strings included: 4 GiB */
  uint64_t max_rank;          /* 64 */
  uint64_t max_nodes;         /* of a model: 1,000,000 */
  uint64_t max_nesting;       /* of subgraphs: 64 */
  uint64_t max_pixels;        /* of an image: 2^28 */
  uint64_t max_working_bytes; /* scratch and tables of one run: 1 GiB */
  uint64_t max_session_bytes; /* of all values that a session's run holds at one time, inputs and outputs included:
                                 max_output_bytes and 1 GiB */
} tesela_limits;

/* A tensor that Tesela allocated, with its strings. */
typedef struct tesela_value tesela_value;

/* A dense tensor of undefined contents (null strings). Extents: [rank]. limits NULL: no limit.
 * Errors: type, shape, rank, limit, no_memory. */
TESELA_API tesela_status tesela_value_create(tesela_dtype dtype, int32_t rank, const int64_t* extents,
                                             const tesela_limits* limits, tesela_value** value, tesela_error* error);
/* A dense copy, the bytes of strings included. Errors: as tesela_value_create, usage. */
TESELA_API tesela_status tesela_value_copy(const tesela_tensor* tensor, const tesela_limits* limits,
                                           tesela_value** value, tesela_error* error);
/* The value as a view, which lives as long as the value does. */
TESELA_API void tesela_value_view(const tesela_value* value, tesela_tensor* view);
TESELA_API void tesela_value_destroy(tesela_value* value);

/* Memory of tensors of 2 MiB and more that Tesela allocated is kept, once they are destroyed, for the next ones: at most
 * 256 MiB of it. Gives back to the system what is kept beyond `keep_bytes`, and returns how much is kept then. */
TESELA_API uint64_t tesela_trim_memory(uint64_t keep_bytes);

/* The elements as numbers, in row-major order. values: [elements], of complex types [2 * elements] with the real part
 * first. Every type but string; 64-bit integers above 2^53 round. Errors: type, usage. */
TESELA_API tesela_status tesela_tensor_to_doubles(const tesela_tensor* tensor, double* values, tesela_error* error);
/* Writes numbers into a tensor: rounded to nearest even, integers saturated. count: [elements], of complex types
 * [2 * elements]. Errors: count, type, usage. */
TESELA_API tesela_status tesela_tensor_from_doubles(const double* values, size_t count, const tesela_tensor* tensor,
                                                    tesela_error* error);

/* Bytes that Tesela allocated: a text, a document, an encoded file. A NUL follows the last byte. */
typedef struct tesela_blob tesela_blob;
TESELA_API const char* tesela_blob_data(const tesela_blob* blob);
TESELA_API size_t tesela_blob_size(const tesela_blob* blob);
TESELA_API void tesela_blob_destroy(tesela_blob* blob);

/* A text from a file as a terminal may show it: controls, marks that change the direction of text, and bytes that are no
 * UTF-8 are escaped ("\x1b", "\u202e"); line feeds stay. Texts for people and messages come in this form. */
TESELA_API tesela_status tesela_printable(const char* text, size_t length, tesela_blob** printable,
                                          tesela_error* error);

/* ---- Tensor files ---------------------------------------------------------------------------------------------- */

typedef enum tesela_file_format TESELA_OF_INT {
  TESELA_FILE_AUTO = 0, /* by the first bytes when reading, by the name's ending when writing */
  TESELA_FILE_NPY = 1,
  TESELA_FILE_NPZ = 2,
  TESELA_FILE_PB = 3, /* a serialized TensorProto */
  TESELA_FILE_PNG = 4,
  TESELA_FILE_JPEG = 5
} tesela_file_format;

typedef struct tesela_file_options {
  size_t struct_size;
  tesela_file_format format;
  tesela_dtype dtype; /* reading .npy: what the bytes are, for types that .npy cannot name; 0 as the file says */
  const char* entry;  /* .npz: the array's name; NULL for its only one */
  const char* name;   /* writing .pb: the tensor's name */
  const tesela_limits* limits;
  int32_t jpeg_quality; /* writing .jpg: 1 to 100, 0 for 92 */
} tesela_file_options;

/* Reads a tensor from a file. Images come as uint8 or uint16 (16-bit PNG), [H, W, C].
 * tensor_name: NULL, or set to the name that a .pb file carries ("" if none), alive as long as the value.
 * Errors: io, path, parse, truncated, unsupported, limit, no_memory. */
TESELA_API tesela_status tesela_value_read(const char* path, const tesela_file_options* options, tesela_value** value,
                                           const char** tensor_name, tesela_error* error);
/* The same from memory. The format TESELA_FILE_AUTO takes what has no other mark for a .pb file. */
TESELA_API tesela_status tesela_value_read_memory(const void* data, size_t size, const tesela_file_options* options,
                                                  tesela_value** value, const char** tensor_name, tesela_error* error);
/* Writes a tensor to a file: the file appears whole or not at all, an older one stays until then. Pipes and devices
 * are written directly. Errors: usage (an ending that names no format), type, shape, unsupported, io, path. */
TESELA_API tesela_status tesela_tensor_write(const tesela_tensor* tensor, const char* path,
                                             const tesela_file_options* options, tesela_error* error);
/* The bytes of that file. The format must be named. */
TESELA_API tesela_status tesela_tensor_encode(const tesela_tensor* tensor, const tesela_file_options* options,
                                              tesela_blob** blob, tesela_error* error);

/* ---- Operators ------------------------------------------------------------------------------------------------- */

typedef enum tesela_text_format TESELA_OF_INT {
  TESELA_TEXT_PLAIN = 0, /* for people */
  TESELA_TEXT_JSON = 1,
  TESELA_TEXT_MARKDOWN = 2
} tesela_text_format;

/* All operators, versions, types and attributes: generated from the table that checks them. */
TESELA_API tesela_status tesela_ops(tesela_text_format format, tesela_blob** text, tesela_error* error);

/* An operator with its attributes: "Resize" of opset 18, say. */
typedef struct tesela_op tesela_op;

/* domain: "" or "ai.onnx", or "openvino". opset: of it; the newest version not above it is taken. 0: the newest known.
 * node: a name for messages, may be NULL. Errors: unsupported (operator or opset). */
TESELA_API tesela_status tesela_op_create(const char* domain, const char* type, int64_t opset, const char* node,
                                          tesela_op** op, tesela_error* error);
/* Setting an attribute copies it. Names and types are checked against the operator's row when it is planned.
 * Strings whose names begin with "tesela." are no attributes of the standard but fields of the plan, which say how Resize
 * is computed where that is not as the standard has it: "tesela.precision" = "fast" lets some results of 8 bits be off by
 * one, "tesela.extents" says how many outputs a scale makes ("standard": extent * scale in double, rounded down; "host": in
 * float, as in ONNX Runtime; "openvino"), which shape inference follows, too, and others give the results of other
 * libraries. docs/semantics.md lists them.
 * Errors: attribute (set twice; a field or a value of it that is unknown). */
TESELA_API tesela_status tesela_op_set_int(tesela_op* op, const char* name, int64_t value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_float(tesela_op* op, const char* name, float value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_string(tesela_op* op, const char* name, const char* value, tesela_error* error);
TESELA_API tesela_status tesela_op_set_ints(tesela_op* op, const char* name, const int64_t* values, size_t count,
                                            tesela_error* error);
TESELA_API tesela_status tesela_op_set_floats(tesela_op* op, const char* name, const float* values, size_t count,
                                              tesela_error* error);
TESELA_API tesela_status tesela_op_set_tensor(tesela_op* op, const char* name, const tesela_tensor* value,
                                              tesela_error* error);
/* The version that was resolved: since_version of the operator's row. */
TESELA_API int64_t tesela_op_since_version(const tesela_op* op);
TESELA_API void tesela_op_destroy(tesela_op* op);

/* The inputs of the version that was resolved, in the order in which functions take them: "X", "roi", "scales", "sizes".
 * Names live as long as the library; NULL beyond the last. */
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

/* The attributes of the version that was resolved, and the kind of one; NONE where the version has none of this name. */
TESELA_API size_t tesela_op_attribute_count(const tesela_op* op);
TESELA_API const char* tesela_op_attribute_name(const tesela_op* op, size_t index);
TESELA_API tesela_attribute_kind tesela_op_attribute_kind(const tesela_op* op, const char* name);
/* The strings that an attribute of the version may be; NULL beyond the last, and where it may be any or is no string. */
TESELA_API const char* tesela_op_attribute_allowed(const tesela_op* op, const char* name, size_t index);
/* The fields of plans: "tesela.precision", ...; NULL beyond the last. */
TESELA_API const char* tesela_field_name(size_t index);

/* For hosts that do not say which version a node has. The attributes that any version of an operator has, which is what
 * such a host can be asked for; NULL beyond the last, and for an operator that is not known. */
TESELA_API const char* tesela_operator_attribute_name(const char* domain, const char* type, size_t index);
/* The version of a node: the newest, deprecated ones aside, that may have so many inputs, omitted ones between them
 * included, and these attributes. attributes: [attribute_count], or NULL where they are not known, which then decide
 * nothing. Errors: unsupported (an unknown operator; no version has such nodes). */
TESELA_API tesela_status tesela_operator_version(const char* domain, const char* type, size_t input_count,
                                                 size_t attribute_count, const char* const* attributes,
                                                 int64_t* version, tesela_error* error);

/* Which of the known names an unknown one is meant for: what other libraries call it, the nearest by a few letters, or the
 * shortest that begins with it; case, '-' and '_' do not count. known: [count]. NULL where none is near. */
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
  const tesela_tensor* constant; /* its value, where that is known; else NULL */
  const tesela_dim* shape_value; /* [shape_value_count] where it is a 1-D tensor of partly known entries; else NULL */
  size_t shape_value_count;
} tesela_tensor_info;

/* The type and shape that an operator's output will have. */
typedef struct tesela_inferred tesela_inferred;

/* inputs: [count], NULL for an omitted input. Errors: what the operator's shape inference refuses. */
TESELA_API tesela_status tesela_op_infer(const tesela_op* op, size_t count, const tesela_tensor_info* const* inputs,
                                         tesela_inferred** inferred, tesela_error* error);
/* Alive as long as `inferred`. */
TESELA_API void tesela_inferred_info(const tesela_inferred* inferred, tesela_tensor_info* info);
TESELA_API void tesela_inferred_destroy(tesela_inferred* inferred);

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

/* What has to be done, in numbers, for one operator and one set of shapes: immutable, for any number of runs and
 * threads. A plan works by regions: any box of the output can be computed alone, from the box of the input that
 * tesela_plan_input_region names, and has the bits that it has in the whole. */
typedef struct tesela_plan tesela_plan;

/* inputs: [count], NULL for an omitted input. Of inputs[0] of Resize, Upsample and Tile only dtype and extents
 * matter; the other inputs (scales, sizes, roi, repeats, shape) are read now. limits NULL: no limits.
 * Errors: everything that the operator's rules refuse; nothing is left to fail in a run but memory. */
TESELA_API tesela_status tesela_plan_create(const tesela_op* op, size_t count, const tesela_tensor* const* inputs,
                                            const tesela_limits* limits, tesela_plan** plan, tesela_error* error);
/* The same with inputs by their names, whatever their places in the version. names: [count]; NULL for the first input.
 * inputs: [count], NULL for an omitted one. Inputs that a version requires and that may be empty (roi and scales of
 * Resize-11) need not be given. Errors: as tesela_plan_create; count (an input that the version does not have). */
TESELA_API tesela_status tesela_plan_create_named(const tesela_op* op, size_t count, const char* const* names,
                                                  const tesela_tensor* const* inputs, const tesela_limits* limits,
                                                  tesela_plan** plan, tesela_error* error);
TESELA_API void tesela_plan_destroy(tesela_plan* plan);
TESELA_API tesela_dtype tesela_plan_dtype(const tesela_plan* plan);
TESELA_API int32_t tesela_plan_output_rank(const tesela_plan* plan);
TESELA_API const int64_t* tesela_plan_output_extents(const tesela_plan* plan); /* [output rank] */
TESELA_API int32_t tesela_plan_input_rank(const tesela_plan* plan);            /* 0 for ConstantOfShape */
TESELA_API const int64_t* tesela_plan_input_extents(const tesela_plan* plan);  /* [input rank] */

/* The box of the input that suffices for a box of the output. lo, extents: [output rank]; input_lo, input_extents:
 * [input rank], written. Errors: shape (a box outside the output). */
TESELA_API tesela_status tesela_plan_input_region(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                                  int64_t* input_lo, int64_t* input_extents, tesela_error* error);
/* Bytes of scratch that a run of this box uses on one thread. */
TESELA_API tesela_status tesela_plan_scratch_bytes(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                                   uint64_t* bytes, tesela_error* error);

/* A host's threads: calls task(argument, index) for every index in [0, count), in any order, on any threads, and
 * returns when all are done. */
typedef struct tesela_executor {
  size_t struct_size;
  void (*parallel_for)(void* context, int64_t count, void (*task)(void* argument, int64_t index), void* argument);
  void* context;
  int32_t concurrency; /* threads that it has, at least 1 */
} tesela_executor;

/* One finished node of a session, for whoever listens. Pointers are valid during the call. */
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
  int32_t threads; /* 0: one per available core; 1: the calling thread alone */
  tesela_backend backend;
  const tesela_executor* executor; /* NULL: oneTBB */
  const int32_t* cancel;           /* NULL, or read now and then: non-zero stops the run */
  void* scratch;                   /* NULL: ours. Else scratch_bytes, 64-byte aligned; used where it suffices */
  size_t scratch_bytes;
  void (*on_node)(void* context, const tesela_node_event* event); /* sessions; NULL: nobody listens */
  void* on_node_context;
  void (*on_progress)(void* context, double fraction); /* NULL, or called now and then from the calling thread */
  void* on_progress_context;
} tesela_run_options;

/* Computes the whole output. x: the input (ignored for ConstantOfShape, may be NULL). y: dtype and extents of the
 * plan's output, any strides; written. x and y must not overlap.
 * Errors: type, shape, usage, no_memory, cancelled. */
TESELA_API tesela_status tesela_plan_run(const tesela_plan* plan, const tesela_tensor* x, const tesela_tensor* y,
                                         const tesela_run_options* options, tesela_error* error);
/* Computes the box [lo, lo + y->extents) of the output into y from the box of the input that begins at x_lo and has
 * x's extents; that box must contain what tesela_plan_input_region names. Errors: as tesela_plan_run. */
TESELA_API tesela_status tesela_plan_run_region(const tesela_plan* plan, const tesela_tensor* x, const int64_t* x_lo,
                                                const tesela_tensor* y, const int64_t* lo,
                                                const tesela_run_options* options, tesela_error* error);

/* The plan for people or programs: passes, rules, facts, tables' sizes. */
TESELA_API tesela_status tesela_plan_describe(const tesela_plan* plan, tesela_text_format format, tesela_blob** text,
                                              tesela_error* error);

/* The table of one axis for a range of its outputs: which input elements each output takes, and how much of each.
 * count of an extrapolated output is 0. Weights are those of the computation, rounded to its type. */
typedef struct tesela_axis_table tesela_axis_table;
typedef struct tesela_axis_table_view {
  size_t struct_size;
  int64_t outputs;       /* entries of first and count */
  int64_t taps;          /* pitch of a row of weights */
  const int64_t* first;  /* [outputs] leftmost input element */
  const int32_t* count;  /* [outputs] taps that are used */
  const double* weights; /* [outputs, taps], NULL where elements are only moved (nearest, tile) */
} tesela_axis_table_view;
/* axis: of the output. lo, n: the range. Errors: value (no such axis or range), no_memory. */
TESELA_API tesela_status tesela_plan_axis_table(const tesela_plan* plan, int32_t axis, int64_t lo, int64_t n,
                                                tesela_axis_table** table, tesela_error* error);
TESELA_API void tesela_axis_table_get(const tesela_axis_table* table, tesela_axis_table_view* view);
TESELA_API void tesela_axis_table_destroy(tesela_axis_table* table);

/* Plans that are kept, so that calls like those before need no planning: the most recently used, at most `capacity`. Any
 * number of threads may use a cache at the same time. */
typedef struct tesela_plan_cache tesela_plan_cache;
/* Errors: value (a capacity of 0), no_memory. */
TESELA_API tesela_status tesela_plan_cache_create(size_t capacity, tesela_plan_cache** cache, tesela_error* error);
/* Plans stay valid. */
TESELA_API void tesela_plan_cache_destroy(tesela_plan_cache* cache);
/* As tesela_plan_create, unless there is a plan already that was made for the same attributes, limits, types, extents and
 * values of inputs that are read; names of nodes do not count. Inputs of more than 4 KiB that are read, or with strides,
 * are planned each time. The plan is the caller's, who gives it back with tesela_plan_destroy, whatever becomes of the
 * cache. Errors: as tesela_plan_create; such calls are not kept. */
TESELA_API tesela_status tesela_plan_cache_get(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                               const tesela_tensor* const* inputs, const tesela_limits* limits,
                                               tesela_plan** plan, tesela_error* error);
/* Only looks: NULL where no such plan is kept. The plan is the caller's too. */
TESELA_API tesela_plan* tesela_plan_cache_find(tesela_plan_cache* cache, const tesela_op* op, size_t count,
                                               const tesela_tensor* const* inputs, const tesela_limits* limits);
TESELA_API void tesela_plan_cache_clear(tesela_plan_cache* cache);
TESELA_API size_t tesela_plan_cache_size(const tesela_plan_cache* cache); /* plans that are kept now */

/* ---- Models ---------------------------------------------------------------------------------------------------- */

/* A model file: ONNX, or an IR of OpenVINO. Any can be loaded, inspected and checked; those made of Tesela's operators,
 * Constant and Identity can be run. */
typedef struct tesela_model tesela_model;

typedef struct tesela_load_options {
  size_t struct_size;
  const tesela_limits* limits;
  int64_t assume_opset;       /* 0, or the opset of ONNX's domain to read the model by */
  const char* base_directory; /* of external data, for models from memory; NULL: external data is refused */
  const char* extents;        /* NULL, or the field "tesela.extents" of all nodes */
} tesela_load_options;

/* Large files are mapped, not read: the caller promises that a model's file is not cut short while it is loaded.
 * Errors: io, path, parse, truncated, limit, unsupported. */
TESELA_API tesela_status tesela_model_load(const char* path, const tesela_load_options* options, tesela_model** model,
                                           tesela_error* error);
/* The bytes are not copied: they stay valid and unchanged as long as the model. */
TESELA_API tesela_status tesela_model_load_memory(const void* data, size_t size, const tesela_load_options* options,
                                                  tesela_model** model, tesela_error* error);
TESELA_API void tesela_model_destroy(tesela_model* model);

TESELA_API size_t tesela_model_input_count(const tesela_model* model); /* that must be given: without initializers */
TESELA_API size_t tesela_model_output_count(const tesela_model* model);
/* Alive as long as the model; NULL beyond the last. */
TESELA_API const char* tesela_model_input_name(const tesela_model* model, size_t index);
TESELA_API const char* tesela_model_output_name(const tesela_model* model, size_t index);
TESELA_API tesela_status tesela_model_input_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                                 tesela_error* error);
TESELA_API tesela_status tesela_model_output_info(const tesela_model* model, size_t index, tesela_tensor_info* info,
                                                  tesela_error* error);

/* Inputs, outputs, and each of our nodes with its resolved version, attributes and inferred shapes. */
TESELA_API tesela_status tesela_model_inspect(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                              tesela_error* error);
/* Every fault that can be found without input data, and notes on what is legal but does nothing. */
TESELA_API tesela_status tesela_model_check(const tesela_model* model, tesela_text_format format, tesela_blob** text,
                                            size_t* faults, tesela_error* error);

/* A model made ready to run. Runs may follow each other with other shapes; one run at a time for each session. */
typedef struct tesela_session tesela_session;
/* Errors: unsupported (names every node that is not ours), and every fault that check finds. */
TESELA_API tesela_status tesela_session_create(const tesela_model* model, const tesela_limits* limits,
                                               tesela_session** session, tesela_error* error);
/* names, inputs: [input_count]. output_names: [output_count], or NULL for all outputs of the model in their order.
 * outputs: [output_count], written; the caller destroys them. Errors: value (an unknown name), count (a missing
 * input), type, rank, shape, limit, no_memory, cancelled, and what the operators refuse. */
TESELA_API tesela_status tesela_session_run(tesela_session* session, size_t input_count, const char* const* names,
                                            const tesela_tensor* inputs, size_t output_count,
                                            const char* const* output_names, tesela_value** outputs,
                                            const tesela_run_options* options, tesela_error* error);
TESELA_API void tesela_session_destroy(tesela_session* session);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TESELA_TESELA_H_ */
