package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;

/** A response body that a proxy writes to its client and flushes part by part. */
record ClientBody(OutputStream to, Form form) {
    /** How the parts are delimited. */
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

    /** Writes the end of the body, if the form has one. */
    void end() throws IOException {
        if (form == Form.CHUNKED) {
            to.write("0\r\n\r\n".getBytes(ISO_8859_1));
        }
        to.flush();
    }
}
