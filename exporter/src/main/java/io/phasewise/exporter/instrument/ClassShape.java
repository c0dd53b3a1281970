/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What a class file declares, held against what a hook needs; no class is loaded for it.
 *
 * <p>Private fields of the class itself can be passed; of other classes only what is public.
 */
final class ClassShape extends ClassVisitor {

    private static final int MEMBERS_ONLY =
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

    private final Map<String, Integer> modifiers = new HashMap<>();
    private final CallSite site;
    private int methods;

    private ClassShape(byte[] classFile, CallSite site) {
        super(Opcodes.ASM9);
        this.site = site;
        new ClassReader(classFile).accept(this, MEMBERS_ONLY);
    }

    /**
     * Compares a class, and those that the call uses, with what a call site needs.
     *
     * @param loader finds the class files of other classes
     * @return false when there is nothing to do in this class
     * @throws UnknownShapeException when anything is missing or different, naming it
     * @throws IOException when a class file cannot be read
     */
    static boolean check(CallSite site, byte[] classFile, ClassLoader loader)
            throws UnknownShapeException, IOException {
        ClassShape shape = new ClassShape(classFile, site);
        if (site.optional && shape.methods == 0) {
            return false;
        }
        if (shape.methods != 1) {
            throw new UnknownShapeException(
                    site.type + " has " + shape.methods + " methods like " + site);
        }
        for (CallSite.Member field : site.fields) {
            shape.require(field, 0);
        }
        Map<String, ClassShape> others = new HashMap<>();
        for (CallSite.Member member : site.used) {
            if (!others.containsKey(member.type)) {
                others.put(member.type, new ClassShape(read(member.type, loader), site));
            }
            others.get(member.type).require(member, Opcodes.ACC_PUBLIC);
        }
        return true;
    }

    private static byte[] read(String type, ClassLoader loader)
            throws UnknownShapeException, IOException {
        try (InputStream file = loader.getResourceAsStream(type.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new UnknownShapeException("there is no class " + type);
            }
            return file.readAllBytes();
        }
    }

    @Override
    public FieldVisitor visitField(
            int access, String name, String descriptor, String signature, Object value) {
        modifiers.put(name + " " + descriptor, access);
        return null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        modifiers.put(name + " " + descriptor, access);
        methods += site.isIn(access, name, descriptor) ? 1 : 0;
        return null;
    }

    private void require(CallSite.Member member, int access) throws UnknownShapeException {
        Integer found = modifiers.get(member.name + " " + member.descriptor);
        if (found == null || (found & (Opcodes.ACC_STATIC | access)) != access) {
            throw new UnknownShapeException(
                    member.type + " has no " + member.name + " of " + member.descriptor);
        }
    }
}
