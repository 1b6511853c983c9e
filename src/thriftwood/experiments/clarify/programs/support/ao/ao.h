/* What mpg321 asks of an audio library, for a machine without one: samples go to a file, or nowhere. */
#ifndef THRIFTWOOD_AO_H
#define THRIFTWOOD_AO_H

#include <stdint.h>
#include <stdlib.h> /* mpg321 relies on it */

#define AO_TYPE_LIVE 1
#define AO_TYPE_FILE 2
#define AO_FMT_LITTLE 1
#define AO_FMT_BIG 2
#define AO_FMT_NATIVE 4
#define AO_ENODRIVER 1
#define AO_ENOTFILE 2
#define AO_ENOTLIVE 3
#define AO_EBADOPTION 4
#define AO_EOPENDEVICE 5
#define AO_EOPENFILE 6
#define AO_EFILEEXISTS 7
#define AO_EBADFORMAT 8
#define AO_EFAIL 100

typedef struct ao_device ao_device;

typedef struct ao_info {
    int type;
    char *name;
    char *short_name;
} ao_info;

typedef struct ao_option {
    char *key;
    char *value;
    struct ao_option *next;
} ao_option;

typedef struct ao_sample_format {
    int bits;
    int rate;
    int channels;
    int byte_format;
    char *matrix;
} ao_sample_format;

void ao_initialize(void);
void ao_shutdown(void);
int ao_default_driver_id(void);
int ao_driver_id(const char *name);
ao_info *ao_driver_info(int driver);
int ao_append_option(ao_option **options, const char *key, const char *value);
ao_device *ao_open_live(int driver, ao_sample_format *format, ao_option *options);
ao_device *ao_open_file(int driver, const char *name, int overwrite, ao_sample_format *format, ao_option *options);
int ao_play(ao_device *device, char *samples, uint32_t bytes);
int ao_close(ao_device *device);

#endif
