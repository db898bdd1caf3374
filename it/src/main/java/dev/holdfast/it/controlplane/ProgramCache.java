package dev.holdfast.it.controlplane;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The per-user folder of built programs, {@code ${XDG_CACHE_HOME:-~/.cache}/holdfast/controlplane}. It has one folder
 * for each content of go.mod and go.sum, which is there whole or not at all.
 */
public final class ProgramCache {

    private static final String MODULE_FILE = "go.mod";
    private static final String SUMS_FILE = "go.sum";

    private final Path root;
    private final PrintStream progress;

    ProgramCache(Path root, PrintStream progress) {
        this.root = root;
        this.progress = progress;
    }

    /** {@return the cache of this user, saying on standard error what it builds} */
    public static ProgramCache ofUser() {
        @Nullable String xdg = System.getenv("XDG_CACHE_HOME");
        Path caches = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return new ProgramCache(caches.resolve("holdfast").resolve("controlplane"), System.err);
    }

    /**
     * {@return the programs, built now if this is the first time} The first time takes about five minutes on two cores;
     * whoever asks meanwhile, in this process or another, waits and does not build.
     *
     * @throws ControlPlaneException if Go is missing or too old, or the build fails
     */
    public Programs programs() {
        Path folder = root.resolve(key());
        if (!Files.isDirectory(folder)) {
            try {
                buildUnderLock(folder);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot build the control plane in " + root, e);
            }
        }
        return new Programs(folder);
    }

    private void buildUnderLock(Path folder) throws IOException {
        Files.createDirectories(root);
        Path lock = root.resolve(folder.getFileName() + ".lock");
        String waiting = "waiting for another process that is building the local control plane";
        new BuildLock(lock, () -> progress.println(waiting)).hold(() -> buildUnlessThere(folder));
    }

    private void buildUnlessThere(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path unfinished = root.resolve(folder.getFileName() + ".building");
        Folders.delete(unfinished);
        Files.createDirectories(unfinished);
        Files.write(unfinished.resolve(MODULE_FILE), resource(MODULE_FILE));
        Files.write(unfinished.resolve(SUMS_FILE), resource(SUMS_FILE));
        new GoBuild(unfinished, progress).run();
        Files.move(unfinished, folder, ATOMIC_MOVE);
    }

    /** The first 16 hex digits of the SHA-256 of go.mod followed by go.sum. */
    private static String key() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(resource(MODULE_FILE));
            digest.update(resource(SUMS_FILE));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] resource(String name) {
        try (@Nullable InputStream in = ProgramCache.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the build did not copy it/controlplane/" + name + " to the classes");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
