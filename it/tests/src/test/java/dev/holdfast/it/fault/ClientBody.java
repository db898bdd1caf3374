package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;

/** The body that a client is given, part by part, each on its way at once. */
record ClientBody(OutputStream to, Form form) {
    /** How its parts are told apart. */
    enum Form {
        CHUNKED,
        RAW
    }

    void write(byte[] bytes, int length) throws IOException {
        if (length == 0) {
            return;
        }
        if (form == Form.CHUNKED) {
            to.write((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            to.write(bytes, 0, length);
            to.write("\r\n".getBytes(ISO_8859_1));
        } else {
            to.write(bytes, 0, length);
        }
        to.flush();
    }

    void write(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    /** Says in HTTP's words that this is all. */
    void end() throws IOException {
        if (form == Form.CHUNKED) {
            to.write("0\r\n\r\n".getBytes(ISO_8859_1));
        }
        to.flush();
    }
}
