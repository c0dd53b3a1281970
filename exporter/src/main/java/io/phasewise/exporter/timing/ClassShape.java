/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Names, descriptors and modifiers of what a class file declares; the class is not loaded. */
final class ClassShape {

    private static final int MEMBERS_ONLY =
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

    private final String name;
    private final Map<String, Integer> modifiersOfFields = new HashMap<>();
    private final Map<String, Integer> modifiersOfMethods = new HashMap<>();

    private ClassShape(String name) {
        this.name = name;
    }

    /**
     * Reads a class file.
     *
     * @throws RuntimeException when it is none
     */
    static ClassShape of(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassShape shape = new ClassShape(reader.getClassName().replace('/', '.'));
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public FieldVisitor visitField(
                            int modifiers,
                            String field,
                            String descriptor,
                            String signature,
                            Object value) {
                        shape.modifiersOfFields.put(field + descriptor, modifiers);
                        return null;
                    }

                    @Override
                    public MethodVisitor visitMethod(
                            int modifiers,
                            String method,
                            String descriptor,
                            String signature,
                            String[] exceptions) {
                        shape.modifiersOfMethods.put(method + descriptor, modifiers);
                        return null;
                    }
                },
                MEMBERS_ONLY);
        return shape;
    }

    /**
     * Reads the file of a class.
     *
     * @throws UnknownShapeException when there is none
     */
    static ClassShape of(String name, ClassLoader loader)
            throws UnknownShapeException, IOException {
        try (InputStream file = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new UnknownShapeException("there is no class " + name);
            }
            return of(file.readAllBytes());
        }
    }

    /** Descriptors of the public methods of an object that return nothing and are called so. */
    List<String> instanceProcedures(String method) {
        List<String> descriptors = new ArrayList<>();
        modifiersOfMethods.forEach(
                (each, modifiers) -> {
                    if (each.startsWith(method + "(")
                            && isPublic(modifiers)
                            && !isStatic(modifiers)
                            && Type.getReturnType(each.substring(method.length()))
                                    .equals(Type.VOID_TYPE)) {
                        descriptors.add(each.substring(method.length()));
                    }
                });
        return descriptors;
    }

    /**
     * Requires a field of the object.
     *
     * @param fromOutside whether it has to be public
     * @throws UnknownShapeException when there is none
     */
    void requireField(String field, String descriptor, boolean fromOutside)
            throws UnknownShapeException {
        Integer modifiers = modifiersOfFields.get(field + descriptor);
        require(
                modifiers != null && !isStatic(modifiers) && (isPublic(modifiers) || !fromOutside),
                field,
                descriptor);
    }

    /**
     * Requires a public method of the object.
     *
     * @throws UnknownShapeException when there is none
     */
    void requireMethod(String method, String descriptor) throws UnknownShapeException {
        Integer modifiers = modifiersOfMethods.get(method + descriptor);
        require(
                modifiers != null && !isStatic(modifiers) && isPublic(modifiers),
                method,
                descriptor);
    }

    private void require(boolean there, String member, String descriptor)
            throws UnknownShapeException {
        if (!there) {
            throw new UnknownShapeException(name + " has no " + member + " of " + descriptor);
        }
    }

    private static boolean isPublic(int modifiers) {
        return (modifiers & Opcodes.ACC_PUBLIC) != 0;
    }

    private static boolean isStatic(int modifiers) {
        return (modifiers & Opcodes.ACC_STATIC) != 0;
    }
}
