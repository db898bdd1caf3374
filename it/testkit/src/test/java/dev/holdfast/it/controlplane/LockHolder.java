package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** The main class of a separate process that holds a {@link BuildLock}. */
final class LockHolder {

    private LockHolder() {}

    /** Locks the given file, prints {@code held}, and keeps the lock until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        new BuildLock(Path.of(arguments[0]), () -> {}).hold(() -> {
            System.out.println("held");
            System.in.transferTo(System.out);
        });
    }
}
