package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** Another process at the same lock. */
final class LockHolder {

    private LockHolder() {}

    /** Says {@code held} once it holds the lock of the file given, and holds it until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        new BuildLock(Path.of(arguments[0]), () -> {}).hold(() -> {
            System.out.println("held");
            System.in.transferTo(System.out);
        });
    }
}
