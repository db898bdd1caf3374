package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** A separate process that claims a folder. */
final class ClaimHolder {

    private ClaimHolder() {}

    /** Claims the given folder, prints {@code held}, and keeps the claim until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        FolderClaim.on(Path.of(arguments[0]));
        System.out.println("held");
        System.in.transferTo(System.out);
    }
}
