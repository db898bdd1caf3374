package dev.holdfast.operator.app;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * Compares the jars of the class path with those from which the JVM's AOT cache was made. The build writes their
 * checksums beside the cache.
 *
 * <p>A JVM that takes classes from a cache does not read them from the jars. JDK 25.0.3 uses a cache even if a jar was
 * replaced, and so runs the old classes (JDK-8377932). Later versions compare the size and the modification time of
 * each jar, but all files of the image have the same time.
 *
 * <p>The checksum is that of the jar's directory, which has the checksum of each file in the jar. Reading all jars
 * would take five times as long.
 */
public final class AotCache {
    private static final int END_BYTES = 22;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int DIRECTORY_BYTES_AT = 12;
    private static final int DIRECTORY_FROM_AT = 16;

    private AotCache() {}

    /**
     * Writes the checksums of jars beside a cache, which need not exist yet.
     *
     * @param jars the jars by the paths that they will have when the cache is used; relative paths begin in the folder
     *     of the cache
     */
    public static void record(Path cache, SequencedMap<String, Path> jars) throws IOException {
        StringJoiner lines = new StringJoiner("\n", "", "\n");
        for (var jar : jars.entrySet()) {
            lines.add(checksum(jar.getValue()) + " " + jar.getKey());
        }
        Files.writeString(checksums(cache), lines.toString());
    }

    /**
     * {@return why the JVM may run other classes than those of the jars, and what to do; empty if the classes are the
     * same}
     *
     * @param cache the path of the cache; if it is empty, the JVM was started without a cache
     * @param jvmOptions gives the JVM's options; called only if the jars differ
     */
    public static Optional<String> problem(String cache, Supplier<List<String>> jvmOptions) {
        return Optional.of(cache)
                .filter(it -> !it.isEmpty())
                .map(Path::of)
                .flatMap(path -> difference(path)
                        .filter(_ -> Files.exists(path) && !jvmOptions.get().contains("-XX:AOTMode=off"))
                        .map(difference -> difference + ", so the JVM may run old classes from " + path
                                + ": build the image or archive again, or set the JVM option -XX:AOTMode=off"));
    }

    private static Optional<String> difference(Path cache) {
        try {
            for (String line : Files.readAllLines(checksums(cache))) {
                int end = line.indexOf(' ');
                Path jar = cache.resolveSibling(line.substring(end + 1));
                if (!checksum(jar).equals(line.substring(0, end))) {
                    return Optional.of(jar + " is not the jar of which the AOT cache was made");
                }
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.of(e.getFile() + " does not exist");
        } catch (IOException e) {
            return Optional.of("the jars cannot be compared with those of the AOT cache (" + e.getMessage() + ")");
        }
    }

    private static Path checksums(Path cache) {
        return cache.resolveSibling(cache.getFileName() + ".jars");
    }

    /**
     * {@return the checksum of a jar's central directory and its end record (PKWARE APPNOTE 4.3.12 and 4.3.16)} If the
     * end of the file is not the end record of such a directory, the result is the checksum of the whole file.
     */
    private static String checksum(Path jar) throws IOException {
        if (!Files.exists(jar)) {
            throw new NoSuchFileException(jar.toString());
        }
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
            long endAt = file.length() - END_BYTES;
            long from = endAt < 0 ? 0 : directoryFrom(file, endAt);
            byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            CRC32 sum = new CRC32();
            sum.update(bytes);
            return Long.toHexString(sum.getValue());
        }
    }

    private static long directoryFrom(RandomAccessFile file, long endAt) throws IOException {
        byte[] bytes = new byte[END_BYTES];
        file.seek(endAt);
        file.readFully(bytes);
        ByteBuffer end = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long from = Integer.toUnsignedLong(end.getInt(DIRECTORY_FROM_AT));
        long length = Integer.toUnsignedLong(end.getInt(DIRECTORY_BYTES_AT));
        return end.getInt(0) == END_SIGNATURE && from + length == endAt ? from : 0;
    }
}
