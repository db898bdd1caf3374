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
 * A Go module without sources of its own: go.mod and go.sum pin other modules, from which it builds tools. The Maven
 * build copies the two files to the resources {@code dev/holdfast/it/NAME}.
 *
 * @param name the name of the Go module's folder in the Maven module, in the resources and in the user's cache
 * @param title what the module builds, for messages, for example {@code the local control plane}
 * @param firstTime how long the first build takes, for messages, for example {@code 5 minutes}
 * @param tools the tools to build, in build order
 * @param versioned the module in go.mod whose version the tools report as their own, for example {@code
 * k8s.io/kubernetes}
 * @param versionFlags the linker flags that set the version in the tools; {@code %1$s} stands for the full version,
 * such as {@code v1.35.0}, {@code %2$s} for its major and {@code %3$s} for its minor number
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
     * The YAML files in one folder of a required Go module, including its subfolders.
     *
     * @param module the Go module, for example {@code sigs.k8s.io/kwok}
     * @param folder the folder in the module
     * @param copy the name of the folder, beside the built tools, to which the files are copied
     */
    public record ModuleFiles(String module, String folder, String copy) {}

    public GoModule {
        tools = List.copyOf(tools);
    }

    /**
     * {@return the version that the tools report, from go.mod, for example {@code v1.35.0}}
     *
     * @throws ControlPlaneException if go.mod does not require the module {@code versioned}
     */
    public String version() {
        return pinned().group(1);
    }

    /** {@return the linker flags that make the tools report the version} */
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
