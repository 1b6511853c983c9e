/* An audio library and an ID3 library for mpg321 on a machine that has neither. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ao/ao.h"
#include "id3tag.h"

struct ao_device {
    FILE *file; /* NULL: samples go nowhere */
};

static ao_info info_live = {AO_TYPE_LIVE, "no sound", "null"};
static ao_info info_file = {AO_TYPE_FILE, "a file of samples", "raw"};

void ao_initialize(void) {}

void ao_shutdown(void) {}

int ao_default_driver_id(void) { return 0; }

int ao_driver_id(const char *name) {
    return strcmp(name, "wav") == 0 || strcmp(name, "raw") == 0 || strcmp(name, "au") == 0;
}

ao_info *ao_driver_info(int driver) { return driver ? &info_file : &info_live; }

int ao_append_option(ao_option **options, const char *key, const char *value) { return 1; }

ao_device *ao_open_live(int driver, ao_sample_format *format, ao_option *options) {
    return calloc(1, sizeof(ao_device));
}

ao_device *ao_open_file(int driver, const char *name, int overwrite, ao_sample_format *format,
                        ao_option *options) {
    ao_device *device = calloc(1, sizeof(ao_device));
    device->file = fopen(name, "wb");
    return device;
}

int ao_play(ao_device *device, char *samples, uint32_t bytes) {
    return device->file == NULL || fwrite(samples, 1, bytes, device->file) == bytes;
}

int ao_close(ao_device *device) {
    if (device->file != NULL) fclose(device->file);
    free(device);
    return 1;
}

struct id3_file *id3_file_open(char const *path, enum id3_file_mode mode) { return NULL; }

int id3_file_close(struct id3_file *file) { return 0; }

struct id3_tag *id3_file_tag(struct id3_file const *file) { return NULL; }

struct id3_frame *id3_tag_findframe(struct id3_tag const *tag, char const *id, unsigned int index) {
    return NULL;
}

/* The bytes of the tag that begins here, 0 if none does. */
signed long id3_tag_query(id3_byte_t const *data, id3_length_t length) {
    if (length >= 3 && memcmp(data, "TAG", 3) == 0) return 128;
    if (length < 10 || memcmp(data, "ID3", 3) != 0) return 0;
    if (data[3] == 0xff || data[4] == 0xff) return 0;
    for (int place = 6; place < 10; place++)
        if (data[place] & 0x80) return 0;
    signed long size = data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9];
    return size + (data[5] & 0x10 ? 20 : 10);
}

id3_ucs4_t const *id3_field_getfullstring(union id3_field const *field) { return NULL; }

id3_ucs4_t const *id3_field_getstrings(union id3_field const *field, unsigned int index) { return NULL; }

unsigned int id3_field_getnstrings(union id3_field const *field) { return 0; }

id3_ucs4_t const *id3_genre_name(id3_ucs4_t const *text) { return text; }

id3_latin1_t *id3_ucs4_latin1duplicate(id3_ucs4_t const *text) { return NULL; }
