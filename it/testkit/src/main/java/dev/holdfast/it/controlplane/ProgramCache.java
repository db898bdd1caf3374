package dev.holdfast.it.controlplane;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The per-user cache of the programs of one {@link GoModule}, {@code ${XDG_CACHE_HOME:-~/.cache}/holdfast/NAME}. Each
 * content of go.mod and go.sum has its own folder, so a changed version is built again. A folder appears only when its
 * build is complete.
 */
public final class ProgramCache {

    private final GoModule module;
    private final Path root;
    private final PrintStream progress;

    ProgramCache(GoModule module, Path root, PrintStream progress) {
        this.module = module;
        this.root = root;
        this.progress = progress;
    }

    /** {@return the module's cache for this user; builds print their progress on standard error} */
    public static ProgramCache ofUser(GoModule module) {
        @Nullable String xdg = System.getenv("XDG_CACHE_HOME");
        Path caches = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return new ProgramCache(module, caches.resolve("holdfast").resolve(module.name()), System.err);
    }

    /** {@return whether the programs are in the cache} */
    boolean isBuilt() {
        return Files.isDirectory(root.resolve(key()));
    }

    /**
     * Builds the programs if they are not in the cache, and returns their folder: {@code bin/} with one file for each
     * tool, and the module's files. A build takes minutes; other callers, in any process, wait for it.
     *
     * @throws ControlPlaneException if Go is missing or too old, or the build fails
     */
    public Path folder() {
        Path folder = root.resolve(key());
        if (!Files.isDirectory(folder)) {
            try {
                buildUnderLock(folder);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot build " + module.title() + " in " + root, e);
            }
        }
        return folder;
    }

    private void buildUnderLock(Path folder) throws IOException {
        Files.createDirectories(root);
        Path lock = root.resolve(folder.getFileName() + ".lock");
        String waiting = "waiting for another process that is building " + module.title();
        new BuildLock(lock, () -> progress.println(waiting)).hold(() -> buildUnlessThere(folder));
    }

    private void buildUnlessThere(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path unfinished = root.resolve(folder.getFileName() + ".building");
        FolderDeletion.delete(unfinished);
        Files.createDirectories(unfinished);
        for (String file : List.of(GoModule.MODULE_FILE, GoModule.SUMS_FILE)) {
            Files.write(unfinished.resolve(file), module.resource(file));
        }
        new GoBuild(module, unfinished, progress).run();
        Files.move(unfinished, folder, ATOMIC_MOVE);
    }

    /** {@return the folder's name: the first 16 hex digits of the SHA-256 of go.mod followed by go.sum} */
    private String key() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(module.resource(GoModule.MODULE_FILE));
            digest.update(module.resource(GoModule.SUMS_FILE));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
