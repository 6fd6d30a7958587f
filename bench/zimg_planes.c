/* SPDX-License-Identifier: Apache-2.0 */
/* Resizes planes with zimg: a filter graph for one plane, run on each. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zimg.h>

struct planes {
  zimg_filter_graph* graph;
  void* scratch;
};

void zimg_planes_destroy(struct planes* planes);

/* type, filter: zimg's enumerations. Rows and planes are 64-byte aligned. NULL if zimg does not support it. */
struct planes* zimg_planes_create(int type, unsigned source_width, unsigned source_height, unsigned width,
                                  unsigned height, int filter, double b, double c) {
  zimg_image_format source, target;
  zimg_graph_builder_params parameters;
  zimg_image_format_default(&source, ZIMG_API_VERSION);
  zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
  source.width = source_width;
  source.height = source_height;
  source.pixel_type = (zimg_pixel_type_e)type;
  source.depth = type == ZIMG_PIXEL_BYTE ? 8 : 16;
  source.color_family = ZIMG_COLOR_GREY;
  source.pixel_range = ZIMG_RANGE_FULL;
  target = source;
  target.width = width;
  target.height = height;
  parameters.resample_filter = (zimg_resample_filter_e)filter;
  parameters.filter_param_a = b;
  parameters.filter_param_b = c;
  parameters.cpu_type = ZIMG_CPU_AUTO_64B;

  struct planes* planes = calloc(1, sizeof *planes);
  if (planes == NULL) return NULL;
  size_t size = 0;
  planes->graph = zimg_filter_graph_build(&source, &target, &parameters);
  if (planes->graph != NULL && zimg_filter_graph_get_tmp_size(planes->graph, &size) == 0)
    planes->scratch = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
  if (planes->scratch != NULL) return planes;
  zimg_planes_destroy(planes);
  return NULL;
}

void zimg_planes_destroy(struct planes* planes) {
  if (planes == NULL) return;
  zimg_filter_graph_free(planes->graph);
  free(planes->scratch);
  free(planes);
}

/* stride, target_stride: bytes between rows; planes follow each other. */
int zimg_planes_run(const struct planes* planes, const char* source, ptrdiff_t stride, ptrdiff_t plane_bytes,
                    char* target, ptrdiff_t target_stride, ptrdiff_t target_plane_bytes, int count) {
  zimg_image_buffer_const from;
  zimg_image_buffer to;
  memset(&from, 0, sizeof from);
  memset(&to, 0, sizeof to);
  from.version = to.version = ZIMG_API_VERSION;
  for (int i = 0; i < count; ++i) {
    from.plane[0].data = source + i * plane_bytes;
    from.plane[0].stride = stride;
    from.plane[0].mask = ZIMG_BUFFER_MAX;
    to.plane[0].data = target + i * target_plane_bytes;
    to.plane[0].stride = target_stride;
    to.plane[0].mask = ZIMG_BUFFER_MAX;
    const int status = zimg_filter_graph_process(planes->graph, &from, &to, planes->scratch, NULL, NULL, NULL, NULL);
    if (status != 0) return status;
  }
  return 0;
}
