package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Go module that has only go.mod and go.sum and builds the tools that they pin. The two files are resources: the
 * build copies them to {@code dev/holdfast/it/NAME}.
 *
 * @param name of its folder in the owning Maven module, in the resources and in the user's cache
 * @param title what the module builds, for messages
 * @param firstTime how long the first build takes, for messages
 * @param tools in build order
 * @param versioned the required module whose version the tools report as their own
 * @param versionFlags for the linker; {@code %1$s} is that version with its v, {@code %2$s} its major and {@code %3$s}
 * its minor number
 * @param files the files to copy beside the tools
 */
public record GoModule(
        String name,
        String title,
        String firstTime,
        List<GoTool> tools,
        String versioned,
        String versionFlags,
        ModuleFiles files) {
    static final String MODULE_FILE = "go.mod";
    static final String SUMS_FILE = "go.sum";

    /**
     * The YAML files of a folder of a required module, including subfolders.
     *
     * @param copy the target folder
     */
    public record ModuleFiles(String module, String folder, String copy) {}

    public GoModule {
        tools = List.copyOf(tools);
    }

    /**
     * {@return the version that go.mod requires of the versioned module, with its v}
     *
     * @throws ControlPlaneException if it requires none
     */
    public String version() {
        return pinned().group(1);
    }

    /** {@return the linker flags that set the version that the tools report} */
    String linkerFlags() {
        Matcher pinned = pinned();
        return "-s -w " + versionFlags.formatted(pinned.group(1), pinned.group(2), pinned.group(3));
    }

    private Matcher pinned() {
        String modules = new String(resource(MODULE_FILE), StandardCharsets.UTF_8);
        Matcher pinned = Pattern.compile(Pattern.quote(versioned) + " (v(\\d+)\\.(\\d+)\\.\\d+)")
                .matcher(modules);
        if (!pinned.find()) {
            throw new ControlPlaneException("go.mod of " + name + " does not require " + versioned);
        }
        return pinned;
    }

    byte[] resource(String file) {
        try (@Nullable InputStream in = GoModule.class.getResourceAsStream("/dev/holdfast/it/" + name + "/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the build did not copy " + file + " of " + name + " to the classes");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + " of " + name, e);
        }
    }
}
