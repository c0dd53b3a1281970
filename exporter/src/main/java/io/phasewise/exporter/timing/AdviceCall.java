/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts a call of the advice at the begin of a method, with the values of the class's own fields,
 * private ones too, and with the method's arguments, if the advice takes more than the fields:
 *
 * <pre>{@code
 * try {
 *     Advice.enter(this.context, this.bodyAndSize, ...);
 * } catch (Throwable surprise) {
 *     RequestHook.surprised(surprise);
 * }
 * }</pre>
 *
 * <p>What is called is found by name when the method first runs, and whatever fails then ends up in
 * that block as well.
 */
final class AdviceCall {

    private static final String HOOK = Type.getInternalName(RequestHook.class);

    private final RequestShape shape;
    private final String advice;

    AdviceCall(RequestShape shape) {
        this.shape = shape;
        this.advice = Type.getInternalName(shape.advice());
    }

    /**
     * A class file with the call in it.
     *
     * @param classFile whose shape was checked
     */
    byte[] insertInto(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int modifiers,
                            String name,
                            String descriptor,
                            String signature,
                            String[] exceptions) {
                        MethodVisitor method =
                                super.visitMethod(
                                        modifiers, name, descriptor, signature, exceptions);
                        boolean wanted =
                                name.equals(shape.method())
                                        && (modifiers & Opcodes.ACC_PUBLIC) != 0
                                        && (modifiers & Opcodes.ACC_STATIC) == 0
                                        && descriptor.endsWith(")V");
                        return wanted ? atBegin(method, descriptor) : method;
                    }
                },
                0);
        return writer.toByteArray();
    }

    private MethodVisitor atBegin(MethodVisitor method, String descriptor) {
        return new MethodVisitor(Opcodes.ASM9, method) {
            private int needed;

            @Override
            public void visitCode() {
                super.visitCode();
                Label begin = new Label();
                Label end = new Label();
                Label surprise = new Label();
                Label after = new Label();
                visitTryCatchBlock(begin, end, surprise, "java/lang/Throwable");
                visitLabel(begin);
                call();
                visitLabel(end);
                visitJumpInsn(Opcodes.GOTO, after);
                visitLabel(surprise);
                // Nothing is in a local variable yet but the arguments.
                visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"});
                visitMethodInsn(
                        Opcodes.INVOKESTATIC, HOOK, "surprised", "(Ljava/lang/Throwable;)V", false);
                visitLabel(after);
                visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                // Kafka's first instruction may have a frame of its own: no two at one place.
                visitInsn(Opcodes.NOP);
            }

            private void call() {
                StringBuilder parameters = new StringBuilder("(");
                for (RequestShape.Field field : shape.fields()) {
                    visitVarInsn(Opcodes.ALOAD, 0);
                    visitFieldInsn(
                            Opcodes.GETFIELD,
                            shape.type().replace('.', '/'),
                            field.name,
                            field.descriptor);
                    parameters.append(field.descriptor);
                    needed += Type.getType(field.descriptor).getSize();
                }
                if (!shape.isRequest()) {
                    int slot = 1;
                    for (Type argument : Type.getArgumentTypes(descriptor)) {
                        visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
                        parameters.append(argument.getDescriptor());
                        slot += argument.getSize();
                        needed += argument.getSize();
                    }
                }
                visitMethodInsn(Opcodes.INVOKESTATIC, advice, "enter", parameters + ")V", false);
            }

            @Override
            public void visitMaxs(int maxStack, int maxLocals) {
                super.visitMaxs(Math.max(maxStack, needed + 1), maxLocals);
            }
        };
    }
}
