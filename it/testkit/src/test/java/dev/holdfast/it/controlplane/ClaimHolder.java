package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** The main class of a separate process that claims a folder with a {@link FolderClaim}. */
final class ClaimHolder {

    private ClaimHolder() {}

    /** Claims the given folder, prints {@code held}, and keeps the claim until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        FolderClaim.on(Path.of(arguments[0]));
        System.out.println("held");
        System.in.transferTo(System.out);
    }
}
