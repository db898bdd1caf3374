package dev.holdfast.operator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Finds switches over a sealed type that have a case of the whole type, such as {@code case Rule _}. Such a case is a
 * default by another name: a new variant compiles without a decision of what it means there.
 */
final class HiddenDefaults {
    private HiddenDefaults() {}

    /** {@return the methods of a class with such a switch, once for each switch} */
    static List<String> in(Class<?> type) {
        return ClassFile.of().parse(bytes(type)).methods().stream()
                .flatMap(method -> method.code().stream()
                        .flatMap(code -> code.elementStream())
                        .flatMap(it -> it instanceof InvokeDynamicInstruction call ? Stream.of(call) : Stream.empty())
                        .filter(call -> call.name().equalsString("typeSwitch"))
                        .filter(call -> hasCaseOfAll(call, type.getClassLoader()))
                        .map(_ -> type.getName() + "." + method.methodName().stringValue()))
                .toList();
    }

    /** The compiler calls typeSwitch with the value, and gives it the type of each case. */
    private static boolean hasCaseOfAll(InvokeDynamicInstruction call, ClassLoader loader) {
        ClassDesc switched =
                MethodTypeDesc.ofDescriptor(call.type().stringValue()).parameterType(0);
        return call.bootstrapArgs().stream()
                .filter(ClassDesc.class::isInstance)
                .map(ClassDesc.class::cast)
                .map(label -> load(label, loader))
                .anyMatch(label -> label.isSealed() && label.isAssignableFrom(load(switched, loader)));
    }

    private static Class<?> load(ClassDesc type, ClassLoader loader) {
        try {
            String descriptor = type.descriptorString();
            String name = descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
            return Class.forName(name.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("a case of a type that is not on the class path", missing);
        }
    }

    private static byte[] bytes(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(file), file)) {
            return bytes.readAllBytes();
        } catch (IOException unread) {
            throw new UncheckedIOException("read " + file, unread);
        }
    }
}
