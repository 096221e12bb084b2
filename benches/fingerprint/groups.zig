//! Prints the byte ranges of operators with their operands as Zig 0.14's own parser sees them, one a line, to be compared with
//! `zig_fingerprints group` over the same files: `zig build-exe groups.zig`, run both, sort, `comm -3`.
const std = @import("std");
pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const gpa = arena.allocator();
    const args = try std.process.argsAlloc(gpa);
    var out = std.ArrayList(u8).init(gpa);
    for (args[1..]) |path| {
        const src = try std.fs.cwd().readFileAllocOptions(gpa, path, 1 << 26, null, 1, 0);
        const tree = try std.zig.Ast.parse(gpa, src, .zig);
        if (tree.errors.len > 0) continue;
        const starts = tree.tokens.items(.start);
        for (tree.nodes.items(.tag), 0..) |tag, i| {
            const name: []const u8 = switch (tag) {
                .bool_not, .negation, .negation_wrap, .bit_not, .address_of => "unary",
                .@"try" => "try",
                .@"catch" => "catch",
                .bool_and, .bool_or => continue,
                .@"orelse", .equal_equal, .bang_equal, .less_than, .greater_than, .less_or_equal, .greater_or_equal, .mul, .div, .mod, .array_mult, .mul_wrap, .mul_sat, .add, .sub, .array_cat, .add_wrap, .sub_wrap, .add_sat, .sub_sat, .shl, .shl_sat, .shr, .bit_and, .bit_xor, .bit_or, .merge_error_sets => "binary",
                .field_access => "field",
                .call_one, .call_one_comma, .call, .call_comma => "call",
                .array_access, .slice, .slice_open, .slice_sentinel => "index",
                .deref => "deref",
                .unwrap_optional => "unwrap",
                .optional_type => "optional",
                .error_union => "union",
                .ptr_type_aligned, .ptr_type_sentinel, .ptr_type, .ptr_type_bit_range => "pointer",
                .array_type, .array_type_sentinel => "array",
                .struct_init_one, .struct_init_one_comma, .struct_init, .struct_init_comma, .array_init_one, .array_init_one_comma, .array_init, .array_init_comma => "init",
                else => continue,
            };
            const node: std.zig.Ast.Node.Index = @intCast(i);
            const a = tree.firstToken(node);
            const b = tree.lastToken(node);
            try out.writer().print("{s}\t{s}\t{d}\t{d}\n", .{ path, name, starts[a], starts[b] + tree.tokenSlice(b).len });
        }
    }
    try std.io.getStdOut().writeAll(out.items);
}
