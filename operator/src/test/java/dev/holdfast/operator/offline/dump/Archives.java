package dev.holdfast.operator.offline.dump;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes archives for tests, block by block. */
final class Archives {
    private static final int BLOCK = 512;

    private Archives() {}

    /** {@return the files as an archive in the format ustar} */
    static byte[] tar(Map<String, String> files) {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        files.forEach((name, content) -> archive.writeBytes(file('0', name, content)));
        archive.writeBytes(new byte[2 * BLOCK]);
        return archive.toByteArray();
    }

    /** {@return one file or header with its content, in whole blocks} */
    static byte[] file(char type, String name, String content) {
        byte[] bytes = content.getBytes(UTF_8);
        return joined(header(type, name, octal(11, bytes.length)), padded(bytes));
    }

    /** {@return a number in octal digits, with zeros before it} */
    static String octal(int digits, int number) {
        String text = Integer.toOctalString(number);
        return "0".repeat(digits - text.length()) + text;
    }

    /** @param size as text, in octal digits */
    static byte[] header(char type, String name, String size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 124, size);
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte one : header) {
            sum += one & 0xff;
        }
        put(header, 148, octal(6, sum) + "\0 ");
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    static byte[] padded(byte[] content) {
        return Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] zip(Map<String, String> files) throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(archive)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
            }
        }
        return archive.toByteArray();
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.toByteArray();
    }
}
