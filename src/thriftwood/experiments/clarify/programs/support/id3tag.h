/* What mpg321 asks of an ID3 library: how long a tag is. Its texts are not read. */
#ifndef THRIFTWOOD_ID3TAG_H
#define THRIFTWOOD_ID3TAG_H

typedef unsigned char id3_byte_t;
typedef unsigned long id3_length_t;
typedef unsigned long id3_ucs4_t;
typedef unsigned char id3_latin1_t;

#define ID3_FRAME_TITLE "TIT2"
#define ID3_FRAME_ARTIST "TPE1"
#define ID3_FRAME_ALBUM "TALB"
#define ID3_FRAME_YEAR "TDRC"
#define ID3_FRAME_COMMENT "COMM"
#define ID3_FRAME_GENRE "TCON"

enum id3_file_mode { ID3_FILE_MODE_READONLY = 0, ID3_FILE_MODE_READWRITE };

struct id3_file;
struct id3_tag;
union id3_field {
    int type;
};
struct id3_frame {
    union id3_field *fields;
};

struct id3_file *id3_file_open(char const *path, enum id3_file_mode mode);
int id3_file_close(struct id3_file *file);
struct id3_tag *id3_file_tag(struct id3_file const *file);
struct id3_frame *id3_tag_findframe(struct id3_tag const *tag, char const *id, unsigned int index);
signed long id3_tag_query(id3_byte_t const *data, id3_length_t length);
id3_ucs4_t const *id3_field_getfullstring(union id3_field const *field);
id3_ucs4_t const *id3_field_getstrings(union id3_field const *field, unsigned int index);
unsigned int id3_field_getnstrings(union id3_field const *field);
id3_ucs4_t const *id3_genre_name(id3_ucs4_t const *text);
id3_latin1_t *id3_ucs4_latin1duplicate(id3_ucs4_t const *text);

#endif
