package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that has claimed a folder. */
final class ClaimHolder {

    private ClaimHolder() {}

    /** Says {@code held} once it has claimed the folder given, and keeps it until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        FolderClaim.on(Path.of(arguments[0]));
        System.out.println("held");
        System.in.transferTo(System.out);
    }
}
