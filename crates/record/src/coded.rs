//! Enums whose variants are stable codes: one list gives the variants, their codes, and all of them in order.

/// Declares an enum with a code for each variant: `ALL` and `code` follow from the one list.
#[macro_export]
macro_rules! coded {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$about])*
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [$name; [$($code),*].len()] = [$($name::$variant),*];

            /// The stable code.
            pub fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)* }
            }
        }
    };
}
