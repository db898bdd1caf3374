package dev.holdfast.it.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The operator's jar with a changed class, in place of the original until it is closed. The changed class finds no
 * version, so {@code holdfast version} prints {@code holdfast unknown}. The size and the modification time are those of
 * the original: what that command does not read is left out, and a comment fills the room.
 */
final class ChangedJar implements AutoCloseable {
    private static final String CHANGED = "dev/holdfast/operator/app/BuildVersion.class";

    private final Path jar;
    private final FileTime time;
    private final byte[] original;

    /** Replaces the operator's jar. */
    ChangedJar(Path jar) throws IOException {
        this.jar = jar;
        this.time = Files.getLastModifiedTime(jar);
        this.original = Files.readAllBytes(jar);
        int missing = original.length - changed("").length;
        write(changed("x".repeat(missing)));
    }

    /** {@return the name of the operator's jar} */
    static String name() {
        return "holdfast-operator-" + System.getProperty("project.version") + ".jar";
    }

    private byte[] changed(String comment) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipInputStream from = new ZipInputStream(new ByteArrayInputStream(original));
                ZipOutputStream to = new ZipOutputStream(bytes)) {
            to.setLevel(Deflater.BEST_COMPRESSION);
            to.setComment(comment);
            for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
                String name = entry.getName();
                if (name.endsWith(".class") || name.startsWith("META-INF/holdfast/")) {
                    to.putNextEntry(new ZipEntry(name));
                    byte[] content = from.readAllBytes();
                    to.write(name.equals(CHANGED) ? withoutVersion(content) : content);
                }
            }
        }
        return bytes.toByteArray();
    }

    /** {@return the class with another name for the property {@code version}} */
    private static byte[] withoutVersion(byte[] bytes) {
        // A text in a class file: the kind of the constant, the length in two bytes, the characters.
        String constant = "\1\0\7version";
        String text = new String(bytes, ISO_8859_1);
        if (!text.contains(constant)) {
            throw new AssertionError("there is no such constant in " + CHANGED);
        }
        return text.replace(constant, "\1\0\7another").getBytes(ISO_8859_1);
    }

    private void write(byte[] bytes) throws IOException {
        Files.write(jar, bytes);
        Files.setLastModifiedTime(jar, time);
    }

    @Override
    public void close() throws IOException {
        write(original);
    }
}
