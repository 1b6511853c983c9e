/* gzlog JOB: keeps a compressed log with zlib's gzprintf, as a service might.
 *
 * A job is a file of lines, each a word and what belongs to it. Whatever goes wrong, the user is told the same:
 * that a record could not be written. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "zlib.h"

/* Every step is a function of its own, as it would be in a larger program. */
#define STEP __attribute__((noinline)) static

static const char *job;
static char path[4096];
static gzFile file;
static int descriptor = -1;
static long records;

STEP void fail(void) {
    fprintf(stderr, "gzlog: a record could not be written\n");
    exit(1);
}

STEP void where(const char *name) {
    if (name[0] == '/')
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%s.%s", job, name);
}

STEP void open_log(const char *name, const char *mode, unsigned buffer) {
    where(name);
    descriptor = open(path, mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0644);
    file = descriptor < 0 ? NULL : gzdopen(descriptor, mode);
    if (file != NULL && buffer != 0) gzbuffer(file, buffer);
}

STEP void close_log(void) {
    if (file != NULL) gzclose(file);
    file = NULL;
}

/* Write a few records to a log of their own, so that there is something to read. */
STEP void fill_log(const char *name, int number) {
    open_log(name, "wb", 0);
    for (int place = 0; place < number; place++) gzputs(file, "an earlier record\n");
    close_log();
}

STEP void check(int written) {
    if (written <= 0) fail();
    records++;
}

STEP void event(int number, const char *text) { check(gzprintf(file, "%d %s\n", number, text)); }

STEP void measure(const char *name, double value) { check(gzprintf(file, "%s=%.3f\n", name, value)); }

STEP void bare(const char *text) { check(gzprintf(file, "%s", text)); }

STEP void note(const char *text) {
    gzputs(file, text);
    gzputc(file, '\n');
}

/* A block whose length somebody computed; what comes of it was never looked at. */
STEP void block(const char *text, long length) {
    gzwrite(file, text, length < 0 ? (unsigned)length : (unsigned)strlen(text));
}

STEP void count_lines(const char *name) {
    char line[8192];
    long lines = 0;
    where(name);
    gzFile reading = gzopen(path, "rb");
    if (reading == NULL) return;
    while (gzgets(reading, line, sizeof line) != NULL) lines++;
    gzclose(reading);
}

/* To rotate a log is to close it and to begin another; "release" forgets that the old one is still in use. */
STEP void release(void) { close(descriptor); }

STEP int obey(char *line) {
    char *word = strtok(line, " \n");
    char *rest = word == NULL ? NULL : strtok(NULL, "\n");
    if (word == NULL) return 0;
    if (rest == NULL) rest = "";
    if (strcmp(word, "open") == 0) {
        char name[256], mode[16];
        unsigned buffer = 0;
        if (sscanf(rest, "%255s %15s %u", name, mode, &buffer) < 2) return 1;
        open_log(name, mode, buffer);
    } else if (strcmp(word, "fill") == 0) {
        fill_log(rest, 20);
    } else if (strcmp(word, "event") == 0) {
        event((int)records, rest);
    } else if (strcmp(word, "measure") == 0) {
        measure(rest, records / 7.0);
    } else if (strcmp(word, "bare") == 0) {
        bare(rest);
    } else if (strcmp(word, "note") == 0) {
        note(rest);
    } else if (strcmp(word, "block") == 0) {
        block(rest, rest[0] == '-' ? -1 : 1);
    } else if (strcmp(word, "flush") == 0) {
        gzflush(file, Z_SYNC_FLUSH);
    } else if (strcmp(word, "level") == 0) {
        gzsetparams(file, atoi(rest), Z_DEFAULT_STRATEGY);
    } else if (strcmp(word, "skip") == 0) {
        gzseek(file, atoi(rest), SEEK_CUR);
    } else if (strcmp(word, "count") == 0) {
        count_lines(rest);
    } else if (strcmp(word, "close") == 0) {
        close_log();
    } else if (strcmp(word, "release") == 0) {
        release();
    } else {
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    if (argc != 2) return 2;
    job = argv[1];
    FILE *lines = fopen(job, "r");
    if (lines == NULL) return 2;
    while (fgets(line, sizeof line, lines) != NULL)
        if (obey(line)) return 2;
    fclose(lines);
    close_log();
    printf("%ld records\n", records);
    return 0;
}
